package io.lapwing.collect;

import java.util.function.Consumer;

/** Reads one subject of one source. */
public interface Collector {

  /** The name in flags, self-metrics and {@code collect[]}; equal for all sources of a kind. */
  String name();

  Cadence cadence();

  /** Called on the source's own thread only. An exception is a bug and fails this run only. */
  void collect(SampleSink sink);

  static Collector of(String name, Cadence cadence, Consumer<SampleSink> body) {
    return new Collector() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Cadence cadence() {
        return cadence;
      }

      @Override
      public void collect(SampleSink sink) {
        body.accept(sink);
      }
    };
  }
}
