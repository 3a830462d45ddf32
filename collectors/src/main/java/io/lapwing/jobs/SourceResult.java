package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.jobs.GpuTable.GpuPlace;
import java.util.List;
import java.util.function.Function;

/** What one source reports for all GPUs in one round. */
sealed interface SourceResult {

  SourceResult ABSENT = new Absent();
  SourceResult UNAVAILABLE = new Unavailable();

  /** This node has no such source. */
  record Absent() implements SourceResult {}

  /** The source exists but gave no result. The reason has been counted. */
  record Unavailable() implements SourceResult {}

  /** The allocations, unordered; if {@code complete}, a GPU without one is free by this source. */
  record Known(List<Allocation> allocations, boolean complete) implements SourceResult {

    public Known {
      allocations = List.copyOf(allocations);
    }
  }

  /** Unavailable if the reading failed, which is counted; absent if there is nothing to read. */
  static <T> SourceResult of(
      Reading<T> reading, SampleSink sink, Function<T, SourceResult> allocations) {
    return sink.countFailure(reading)
        ? UNAVAILABLE
        : reading.toOptional().map(allocations).orElse(ABSENT);
  }

  /**
   * A GPU, or slice, and its owner, as one source reports it.
   *
   * @param share whether the owner was given a share of it, and not all of it
   */
  record Allocation(GpuPlace place, GpuOwner owner, boolean share) {

    Allocation(GpuPlace place, GpuOwner owner) {
      this(place, owner, false);
    }
  }
}
