package io.lapwing.nccl.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.ProcFs;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rings that the real plugin writes, in processes that call it as NCCL does: steps/nccl/ranks.c.
 */
class RingPluginTest {

  private static final Path SOURCES = Path.of("..", "steps", "nccl").toAbsolutePath().normalize();

  @TempDir private Path folder = Path.of("");

  /** Builds the plugin and its driver in a folder of its own. */
  private Path built() throws IOException, InterruptedException {
    boolean hasTools =
        Stream.of("cc", "make")
            .allMatch(
                tool ->
                    Stream.of(
                            Objects.requireNonNullElse(System.getenv("PATH"), "")
                                .split(File.pathSeparator))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, tool))));
    assumeThat(hasTools).as("a C compiler and make").isTrue();
    Path out = folder.resolve("build");
    Process make =
        new ProcessBuilder("make", "-s", "-C", SOURCES.toString(), "OUT=" + out, "driver")
            .redirectErrorStream(true)
            .start();
    String output = new String(make.getInputStream().readAllBytes(), UTF_8);
    assertThat(make.waitFor()).as(output).isZero();
    return out;
  }

  private Path rings() {
    return folder.resolve("steps");
  }

  private RingSource source() {
    return new RingSource(
        rings(),
        RingProcesses.of(new ProcFs(Path.of("/proc")), Long::toString),
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
        InstantSource.system());
  }

  private static RecordedSink round(RingSource source) {
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    return RecordedSink.of(source.collectors().get(0));
  }

  /** The numbers are those of ranks.c. */
  private Process play(Path out, int version, String... numbers)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(out.resolve("ranks").toString());
    command.add(out.resolve("liblapwing-nccl.so").toString());
    command.add(Integer.toString(version));
    command.addAll(List.of(numbers));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LAPWING_STEPS_DIR", rings().toString());
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    assertThat(lines.readLine()).isEqualTo("ready");
    return process;
  }

  private static double value(RecordedSink sink, String family, int rank) {
    return sink.samples().stream()
        .filter(sample -> sample.metric().name().equals("lapwing_nccl_profiler_" + family))
        .filter(sample -> sample.labels().values().get(0).equals("ae94423cfbb2ef4a"))
        .filter(sample -> sample.labels().values().get(1).equals(Integer.toString(rank)))
        .mapToDouble(RecordedSink.Sample::value)
        .sum();
  }

  @Test
  void theLateRankOfEightIsFound() throws IOException, InterruptedException {
    Path out = built();
    for (int version : new int[] {6, 5, 4}) {
      RingSource source = source();
      // 4 ranks, 2 communicators, 5 steps of 20 collectives; rank 2 is 3 ms late in the first ones.
      Process ranks = play(out, version, "4", "2", "5", "20", "0", "2", "3000", "-1");
      try {
        RecordedSink sink = round(source);
        assertThat(sink.lines()).contains("lapwing_nccl_profiler_processes 4");
        assertThat(value(sink, "collectives_total", 2)).isEqualTo(50);
        assertThat(value(sink, "compared_collectives_total", 2)).isEqualTo(50);
        assertThat(value(sink, "collective_seconds_total", 2)).isBetween(0.00499, 0.00501);
        assertThat(value(sink, "late_seconds_total", 2)).isBetween(0.0149, 0.0151);
        assertThat(value(sink, "wait_seconds_total", 2)).isZero();
        assertThat(value(sink, "late_seconds_total", 1)).isZero();
        assertThat(value(sink, "wait_seconds_total", 1)).isBetween(0.0149, 0.0151);
        assertThat(value(sink, "in_flight_seconds", 1)).isZero();
        assertThat(value(sink, "behind_seconds", 2)).isZero();
      } finally {
        ranks.getOutputStream().close();
        ranks.waitFor();
        source.begin(source.collectors());
        RecordedSink after = RecordedSink.of(source.collectors().get(0));
        assertThat(after.lines()).contains("lapwing_nccl_profiler_processes 0");
        source.close();
      }
    }
  }

  @Test
  void theRankThatDoesNotEnterACollectiveIsNamed() throws IOException, InterruptedException {
    Process ranks = play(built(), 6, "4", "1", "1", "10", "0", "-1", "0", "3");
    try {
      Thread.sleep(50);
      RecordedSink sink = round(source());
      assertThat(value(sink, "behind_seconds", 3)).isPositive();
      assertThat(value(sink, "behind_seconds", 0)).isZero();
      assertThat(value(sink, "in_flight_seconds", 0)).isPositive();
      assertThat(value(sink, "in_flight_seconds", 3)).isZero();
    } finally {
      ranks.getOutputStream().close();
      ranks.waitFor();
    }
  }

  @Test
  void olderVersionsCountAndCompareByTheHostsClock() throws IOException, InterruptedException {
    Path out = built();
    Process three = play(out, 3, "2", "1", "1", "10", "0", "-1", "0", "-1");
    try {
      RecordedSink sink = round(source());
      assertThat(value(sink, "timed_collectives_total", 0)).isEqualTo(10);
      assertThat(value(sink, "compared_collectives_total", 1)).isEqualTo(10);
    } finally {
      three.getOutputStream().close();
      three.waitFor();
    }
    Process two = play(out, 2, "2", "1", "1", "10", "0", "-1", "0", "-1");
    try {
      RecordedSink sink = round(source());
      assertThat(value(sink, "collectives_total", 0)).isEqualTo(10);
      assertThat(sink.lines())
          .noneMatch(line -> line.contains("seconds") || line.contains("compared"));
    } finally {
      two.getOutputStream().close();
      two.waitFor();
    }
  }
}
