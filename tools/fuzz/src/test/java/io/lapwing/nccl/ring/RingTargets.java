package io.lapwing.nccl.ring;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.collect.SampleSink;
import io.lapwing.fuzz.Scratch;
import io.lapwing.fuzz.Target;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The files into which the plugin writes collectives: any user's. */
public final class RingTargets {

  private RingTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofBytes("ring-file", RingTargets::file)
            .recordings("collectors/src/test/resources/io/lapwing/nccl/ring/*.nccl"));
  }

  private static void file(byte[] input) throws IOException {
    Path folder = Objects.requireNonNull(Scratch.file("rings/a.nccl", input).getParent());
    RingSource source =
        new RingSource(
            folder,
            (path, file) -> Optional.of(new RingProcesses.Writer(0, OptionalLong.empty())),
            new RingSource.Gpus() {
              @Override
              public OptionalInt byPid(long pid) {
                return OptionalInt.empty();
              }

              @Override
              public OptionalInt byUuid(String uuid) {
                return OptionalInt.empty();
              }
            },
            () -> Instant.EPOCH.plusSeconds(1_700_000_000));
    try {
      source.begin(source.collectors());
      source.collectors().get(0).collect(sink());
      source.collectors().get(0).collect(sink());
    } finally {
      source.close();
    }
  }

  private static SampleSink sink() {
    return new SampleSink() {
      @Override
      public void add(Metric metric, Labels labels, double value) {
        demand(Double.isFinite(value) && value >= 0, "a value that is not finite, or negative");
      }

      @Override
      public void failed(String question, String reason) {
        throw new AssertionError(question);
      }
    };
  }
}
