package io.lapwing.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One late rank of 4,096 on 512 nodes, by the expression of the alert in a real Prometheus:
 * promtool tests rules with at most 10,000 samples. All ranks are in one communicator, and those of
 * a node in a second one.
 */
@Tag("slow")
@Tag("servers")
final class LateRankOfThousandsTest {

  private static final Path SHIPPED = Path.of("..", "..", "alert-rules", "fleet.yml");
  private static final String ALERT = "LapwingNcclRankLate";
  private static final String MEDIAN = "comm:lapwing_nccl_collective_seconds:median10m";
  private static final String LATE_SHARE = "instance_comm:lapwing_nccl_late:ratio10m";
  private static final String INFO = "lapwing_nccl_profiler_communicator_info";
  private static final String SECONDS = "lapwing_nccl_profiler_collective_seconds";

  private static final int NODES = 512;
  private static final int GPUS = 8;
  private static final int LATE = 2713;
  private static final int MINUTES = 16;

  /** Seconds of kernels in a minute: all wait for the late rank for 6 s of it. */
  private static final double WAITS = 15;

  private static final double COMES_LAST = 9;

  /** In whole minutes, so that the samples are at the same times. */
  private final Instant start =
      Instant.ofEpochSecond(Instant.now().minus(Duration.ofHours(1)).getEpochSecond() / 60 * 60);

  @TempDir Path dir = Path.of("");

  @Test
  void its_node_is_named_and_no_other() throws Exception {
    Optional<Path> promtool = Programs.find("promtool");
    assumeTrue(promtool.isPresent() && Prometheus.program().isPresent(), "needs prometheus");
    fill(promtool.orElseThrow(), dir.resolve("late"), rank -> rank == LATE ? COMES_LAST : WAITS);
    fill(promtool.orElseThrow(), dir.resolve("even"), rank -> WAITS);

    List<Series> late = ask(dir.resolve("late"));
    assertThat(late).hasSize(1);
    assertThat(late.get(0).label("instance")).isEqualTo("n" + LATE / GPUS);
    assertThat(late.get(0).value()).isBetween(0.0999, 0.1001);
    assertThat(ask(dir.resolve("even"))).isEmpty();
  }

  private List<Series> ask(Path folder) throws IOException {
    try (Prometheus prometheus =
        Prometheus.start(folder, PrometheusSettings.every(Duration.ofMinutes(10)))) {
      return prometheus.query(expression(), start.plus(Duration.ofMinutes(MINUTES - 1)));
    }
  }

  /** The alert's, with the recorded series in it as what they are made of. */
  private static String expression() throws IOException {
    Map<String, String> rules = new HashMap<>();
    for (JsonNode group : new YAMLMapper().readTree(SHIPPED.toFile()).path("groups")) {
      for (JsonNode rule : group.path("rules")) {
        String name = rule.path("record").asText() + rule.path("alert").asText();
        rules.put(name, "(" + rule.path("expr").asText() + ")");
      }
    }
    assertThat(rules).containsKeys(ALERT, LATE_SHARE, MEDIAN);
    return rules
        .getOrDefault(ALERT, "")
        .replace(LATE_SHARE, rules.getOrDefault(LATE_SHARE, ""))
        .replace(MEDIAN, rules.getOrDefault(MEDIAN, ""));
  }

  private void fill(Path promtool, Path folder, IntToDoubleFunction perMinute)
      throws IOException, InterruptedException {
    Path metrics = Files.createDirectories(folder).resolve("metrics.txt");
    try (Writer out = Files.newBufferedWriter(metrics)) {
      out.write("# TYPE %s gauge\n".formatted(INFO));
      eachRank(
          (labels, nodes, rank) ->
              samples(out, "%s{%s,nodes=\"%d\",verified=\"1\"}".formatted(INFO, labels, nodes), 1));
      out.write("# TYPE %s counter\n".formatted(SECONDS));
      eachRank(
          (labels, nodes, rank) ->
              samples(
                  out,
                  "%s_total{%s}".formatted(SECONDS, labels),
                  nodes == 1 ? WAITS : perMinute.applyAsDouble(rank)));
      out.write("# EOF\n");
    }
    Process blocks =
        new ProcessBuilder(
                promtool.toString(),
                "tsdb",
                "create-blocks-from",
                "openmetrics",
                metrics.toString(),
                folder.resolve("data").toString())
            .redirectOutput(folder.resolve("promtool.log").toFile())
            .redirectErrorStream(true)
            .start();
    assertThat(blocks.waitFor()).as(folder.toString()).isZero();
  }

  private interface EachRank {
    void accept(String labels, int nodes, int rank) throws IOException;
  }

  private static void eachRank(EachRank each) throws IOException {
    for (int rank = 0; rank < NODES * GPUS; rank++) {
      int node = rank / GPUS;
      String of = "cluster=\"c\",instance=\"n%d\",comm=\"%s\",rank=\"%d\",gpu=\"%d\"";
      each.accept(of.formatted(node, "world", rank, rank % GPUS), NODES, rank);
      each.accept(of.formatted(node, "node" + node, rank % GPUS, rank % GPUS), 1, rank);
    }
  }

  private void samples(Writer out, String series, double perMinute) {
    try {
      for (int minute = 0; minute < MINUTES; minute++) {
        double value = series.startsWith(SECONDS) ? perMinute * minute : perMinute;
        long at = start.plus(Duration.ofMinutes(minute)).getEpochSecond();
        out.write(series + " " + value + " " + at + "\n");
      }
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
  }
}
