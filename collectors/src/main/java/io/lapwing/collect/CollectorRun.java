package io.lapwing.collect;

import io.lapwing.metric.Samples;
import java.time.Duration;
import java.time.Instant;

/** The outcome of one run of one collector on one source. */
public sealed interface CollectorRun {

  String collector();

  Cadence cadence();

  /** Wall-clock time of the end of the run. */
  Instant at();

  /** Monotonic time of the end of the run in nanoseconds; use this one for ages. */
  long ended();

  Duration took();

  /** It ran; values that could not be read are absent and counted as failures. */
  record Collected(
      String collector, Cadence cadence, Instant at, long ended, Duration took, Samples samples)
      implements CollectorRun {}

  /** Nothing to read on this node; a success. */
  record NothingHere(
      String collector, Cadence cadence, Instant at, long ended, Duration took, String why)
      implements CollectorRun {}

  /** It could not run: the device does not respond, or the collector has a bug. */
  record Broken(
      String collector,
      Cadence cadence,
      Instant at,
      long ended,
      Duration took,
      String reason,
      String why)
      implements CollectorRun {}

  default boolean success() {
    return !(this instanceof Broken);
  }
}
