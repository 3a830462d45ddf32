package io.lapwing.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.agent.names.Translation;
import io.lapwing.gpu.NameGeneration;
import io.lapwing.stack.GrafanaQueries.Asked;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboards that users of dcgm-exporter have, asked of a real Prometheus: as they are and
 * translated, of a node with both names and of one with those of 4.9 only. One GPU has MIG
 * instances.
 */
@Tag("slow")
@Tag("servers")
final class NvidiaDashboardsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final Translation TO_NEW = new Translation(NameGeneration.V4_9);

  private static final Map<String, String> VARIABLES =
      Map.of(
          "instance", ".*", "Hostname", ".*", "gpu", ".*", "mig", ".*", "__rate_interval", "20s");

  private static final String SCENARIO =
      """
      summary: GPU 1 has two MIG instances, and GPU 2 has an XID
      set: {gpu.1.mig.mode: 1, gpu.1.mig.instances: "7:1g.10gb@0 8:2g.20gb@2"}
      steps:
        - {at: 15s, xid: [2 94]}
      """;

  private static final List<AutoCloseable> PARTS = new ArrayList<>();
  private static @Nullable Prometheus both;
  private static @Nullable Prometheus newOnly;

  @BeforeAll
  static void start(@TempDir Path dir) throws IOException {
    assumeTrue(Prometheus.program().isPresent(), "this machine has no prometheus");
    String scenario = Files.writeString(dir.resolve("scenario.yaml"), SCENARIO).toString();
    both = scraping(dir.resolve("both"), scenario, "classic,4.9");
    newOnly = scraping(dir.resolve("new"), scenario, "4.9");
  }

  private static Prometheus scraping(Path dir, String scenario, String names) {
    String name = dir.getFileName().toString();
    SimulatedNode node =
        SimulatedNode.start(
            dir.resolve("node"), name, scenario, "--gpu.names=" + names, "--metrics=full");
    PARTS.add(node);
    Prometheus prometheus =
        Prometheus.start(dir.resolve("prometheus"), PrometheusSettings.every(EVERY));
    PARTS.add(prometheus);
    prometheus.scrape(List.of(node.target("c")));
    return prometheus;
  }

  @AfterAll
  static void stop() throws Exception {
    for (AutoCloseable part : PARTS) {
      part.close();
    }
  }

  private static String dashboard23382() throws IOException {
    try (var text = NvidiaDashboardsTest.class.getResourceAsStream("dashboard-23382.json")) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Beside the repository, where there are recordings of others' files. */
  private static Optional<Path> recorded(String name) throws IOException {
    Path beside = Path.of("..", "..", "..").toAbsolutePath().normalize();
    try (Stream<Path> folders = Files.list(beside)) {
      return folders
          .map(folder -> folder.resolve("recorded").resolve(name))
          .filter(Files::isReadable)
          .findFirst();
    }
  }

  @Test
  void dashboard12239ShowsTheSameByClassicNamesAndTranslated() throws Exception {
    Optional<Path> file = recorded("dcgm-exporter/dashboard-12239.json");
    assumeTrue(file.isPresent(), "dashboard 12239 is not beside the repository");
    shows(Files.readString(file.get()), 8 + 2);
  }

  @Test
  void dashboard23382ShowsTheSameByClassicNamesAndTranslated() throws Exception {
    shows(dashboard23382(), 21 + 3);
  }

  /** {@code queries}: of panels and variables. */
  private static void shows(String dashboard, int queries) throws IOException {
    Translation.Result translated = TO_NEW.translate(dashboard);
    assertThat(translated.warnings()).isEmpty();
    List<Asked> before = GrafanaQueries.of(dashboard, VARIABLES).all();
    List<Asked> after = GrafanaQueries.of(translated.text(), VARIABLES).all();
    assertThat(before).hasSameSizeAs(after).hasSize(queries);
    awaitData(prometheus(both), before);
    awaitData(prometheus(newOnly), after);
    Instant at = Instant.now();
    // A scrape that is being stored would be in the result of one query only.
    await().pollDelay(EVERY.multipliedBy(2)).until(() -> true);
    for (int i = 0; i < queries; i++) {
      isTheSame(before.get(i), after.get(i), at);
      assertThat(after.get(i).expr()).isNotEqualTo(before.get(i).expr());
      assertThat(prometheus(newOnly).query(before.get(i).expr()))
          .as(before.get(i).expr())
          .isEmpty();
      legendIsThere(after.get(i));
    }
  }

  private static Prometheus prometheus(@Nullable Prometheus started) {
    return Objects.requireNonNull(started);
  }

  private static void awaitData(Prometheus prometheus, List<Asked> queries) {
    await()
        .atMost(PATIENCE)
        .pollInterval(EVERY)
        .untilAsserted(
            () ->
                assertThat(queries)
                    .allSatisfy(
                        query ->
                            assertThat(prometheus.query(query.expr()))
                                .as(query.toString())
                                .isNotEmpty()
                                .allMatch(series -> Double.isFinite(series.value()))));
  }

  private static void isTheSame(Asked before, Asked after, Instant at) {
    Map<String, Double> classic = values(prometheus(both).query(before.expr(), at));
    Map<String, Double> translated = values(prometheus(both).query(after.expr(), at));
    assertThat(translated.keySet()).as(after.expr()).isEqualTo(classic.keySet());
    classic.forEach(
        (labels, value) ->
            assertThat(translated.get(labels))
                .as(after.expr() + " " + labels)
                .isCloseTo(value, within(tolerance(before.expr(), value))));
  }

  /** Classic memory is in whole MiB of each GPU, and energy since 4.9 in whole joules. */
  private static double tolerance(String expr, double value) {
    double rounding = expr.contains("_FB_") ? (expr.contains("sum") ? 20 : 1) : 0;
    return Math.max(rounding, Math.abs(value) * 1e-3);
  }

  /** By labels, where those of both generations count as one. */
  private static Map<String, Double> values(List<Series> series) {
    Map<String, Double> values = new TreeMap<>();
    for (Series one : series) {
      Map<String, String> labels = new TreeMap<>(one.labels());
      labels.remove("__name__");
      if (labels.containsKey("Hostname")) {
        labels.put("hostname", one.label("Hostname"));
        labels.remove("Hostname");
      }
      values.put(labels.toString(), one.value());
    }
    return values;
  }

  private static void legendIsThere(Asked query) {
    for (Series series : prometheus(newOnly).query(query.expr())) {
      assertThat(query.legend())
          .as(query.toString())
          .allMatch(label -> label.startsWith("GPU_I_") || series.labels().containsKey(label));
    }
  }

  @Test
  void theInstancesOfAGpuWithMigHaveRowsOfTheirOwn() throws Exception {
    List<Asked> queries = GrafanaQueries.of(dashboard23382(), VARIABLES).all();
    awaitData(prometheus(both), queries);
    for (Asked query : queries) {
      if (query.title().endsWith("of instances") || query.title().equals("busy instances")) {
        assertThat(prometheus(both).query(query.expr()))
            .as(query.expr())
            .filteredOn(series -> series.label("gpu").equals("1"))
            .extracting(series -> series.label("GPU_I_PROFILE") + " " + series.label("GPU_I_ID"))
            .containsExactlyInAnyOrder("1g.10gb 7", "2g.20gb 8");
      }
    }
    // As docs/migrating.md has it: a clock is the GPU's, so its table of instances has the GPUs.
    assertThat(prometheus(both).query("count by (gpu, GPU_I_PROFILE) (DCGM_FI_DEV_SM_CLOCK)"))
        .hasSize(8)
        .allMatch(series -> series.label("GPU_I_PROFILE").isEmpty());
  }
}
