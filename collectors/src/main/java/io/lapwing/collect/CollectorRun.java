package io.lapwing.collect;

import io.lapwing.metric.Samples;
import java.time.Duration;
import java.time.Instant;

/** How one run of one collector on one source ended. */
public sealed interface CollectorRun {

  String collector();

  Cadence cadence();

  /** When the run ended, by the time of day. */
  Instant at();

  /** The same in nanoseconds of the clock that never jumps: how old it is, only this one tells. */
  long ended();

  Duration took();

  /** It ran; what could not be read is missing among the samples and counted. */
  record Collected(
      String collector, Cadence cadence, Instant at, long ended, Duration took, Samples samples)
      implements CollectorRun {}

  /** There is nothing to read on this node. A success. */
  record NothingHere(
      String collector, Cadence cadence, Instant at, long ended, Duration took, String why)
      implements CollectorRun {}

  /** It could not run: the device does not answer, or a bug. */
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
