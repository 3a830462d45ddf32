package io.lapwing.collect;

/** Reads one subject of one source. One file per subject. */
public interface Collector {

  /**
   * The name in flags, self-metrics and {@code collect[]}; the same for this subject on every
   * source.
   */
  String name();

  Cadence cadence();

  /** Called on the source's own thread only. An exception means a bug and costs this run only. */
  void collect(SampleSink sink);
}
