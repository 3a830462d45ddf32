package io.lapwing.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.agent.names.Translation;
import io.lapwing.gpu.NameGeneration;
import io.lapwing.rules.Rule;
import io.lapwing.rules.RuleFiles;
import io.lapwing.stack.Prometheus;
import io.lapwing.stack.PrometheusSettings;
import io.lapwing.stack.ShippedRules;
import io.lapwing.stack.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lapwing's own rules and dashboards on a page that has only the names of 4.9: translated, they
 * find what they find by the classic names of an equal node.
 */
@Tag("slow")
@Tag("servers")
class NewNamesDataTest {

  private static final Duration PATIENCE = Duration.ofMinutes(8);
  private static final Translation TO_NEW = new Translation(NameGeneration.V4_9);

  private static final String SCENARIO =
      """
      summary: A job on eight GPUs, one of which has remapped rows and an XID
      set:
        gpu.*.load: 0.82 ~ 0.12
        training.job: 4711
        gpu.2.rows.correctable: 2
        gpu.2.rows.uncorrectable: 1
      steps:
        - {at: 30s, xid: [2 63]}
      """;

  /** They need 10 minutes and more: promtool has them, by either names (NameRulesTest). */
  private static final Set<String> LATER =
      Set.of(
          "gpu:lapwing_busy_sm_clock_mhz:avg10m",
          "instance:lapwing_unlimited_sm_clock_mhz:median10m",
          "gpu:lapwing_allocated_idle:ratio15m");

  private static final Deque<AutoCloseable> PARTS = new ArrayDeque<>();
  private static @Nullable Sides sides;

  /** A server with a node each. */
  private record Sides(Prometheus classic, Prometheus renamed) {}

  @BeforeAll
  static void start(@TempDir Path dir) throws IOException {
    assumeTrue(Prometheus.program().isPresent(), "needs prometheus (Debian: prometheus)");
    String scenario = Files.writeString(dir.resolve("scenario.yaml"), SCENARIO).toString();
    sides =
        new Sides(
            scraping(dir.resolve("classic"), scenario, false),
            scraping(dir.resolve("renamed"), scenario, true));
  }

  private static Prometheus scraping(Path dir, String scenario, boolean renamed)
      throws IOException {
    List<Path> rules =
        ShippedRules.copy(
            Repository.RULES,
            Files.createDirectories(dir.resolve("rules")),
            "https://runbooks.test/");
    for (Path file : rules) {
      String often = Files.readString(file).replaceAll("(?m)^( +interval:) .*$", "$1 5s");
      Files.writeString(file, renamed ? TO_NEW.translate(often).text() : often);
    }
    // Without the flag, DashboardDataTest.
    String names = "--gpu.names=" + (renamed ? "4.9" : "classic-hostname");
    SimulatedNode node = SimulatedNode.start(dir.resolve("node"), "node-1", scenario, names);
    PARTS.push(node);
    Prometheus prometheus =
        Prometheus.start(
            dir.resolve("prometheus"), PrometheusSettings.every(LiveFleet.EVERY).withRules(rules));
    PARTS.push(prometheus);
    prometheus.scrape(List.of(node.target("demo")));
    return prometheus;
  }

  @AfterAll
  static void stop() throws Exception {
    while (!PARTS.isEmpty()) {
      PARTS.pop().close();
    }
  }

  private static Sides sides() {
    Sides started = sides;
    if (started == null) {
      throw new IllegalStateException("not started");
    }
    return started;
  }

  /** As the value of a key of a dashboard. */
  private static String translated(String expr) {
    ObjectMapper json = new ObjectMapper();
    ObjectNode target = json.createObjectNode().put("expr", expr);
    Translation.Result result = TO_NEW.translate(target.toString());
    assertThat(result.warnings()).as(expr).isEmpty();
    try {
      return json.readTree(result.text()).path("expr").asText();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String filled(PanelQuery query) {
    return DashboardDataTest.SHORT.fill(query.query().expr());
  }

  private static boolean isRenamed(String expr) {
    return !translated(expr).equals(expr);
  }

  private static boolean hasData(Prometheus prometheus, String expr) {
    Instant now = Instant.now();
    return Stream.concat(
            prometheus.query(expr, now).stream(),
            prometheus.queryRange(expr, now.minusSeconds(60), now, Duration.ofSeconds(5)).stream())
        .flatMap(series -> series.points().stream())
        .anyMatch(point -> Double.isFinite(point.value()));
  }

  private static void findTheSame(List<String> queries) {
    Set<String> found = new TreeSet<>();
    await()
        .atMost(PATIENCE)
        .pollInterval(LiveFleet.EVERY)
        .untilAsserted(
            () -> {
              found.addAll(queries.stream().filter(q -> hasData(sides().classic(), q)).toList());
              assertThat(found).containsAll(queries);
            });
    await()
        .atMost(PATIENCE)
        .pollInterval(LiveFleet.EVERY)
        .untilAsserted(
            () ->
                assertThat(found)
                    .allSatisfy(
                        query ->
                            assertThat(hasData(sides().renamed(), translated(query)))
                                .as(translated(query))
                                .isTrue()));
  }

  @Test
  void everyQueryThatReadsARenamedFamilyFindsDataTranslated() {
    List<String> queries =
        PanelQuery.all().stream()
            .map(NewNamesDataTest::filled)
            .filter(NewNamesDataTest::isRenamed)
            .distinct()
            .toList();
    assertThat(queries).hasSizeGreaterThan(15);

    findTheSame(queries);

    assertThat(sides().renamed().query("{__name__=~\"DCGM_FI_DEV_(SM_CLOCK|GPU_TEMP|FB_USED)\"}"))
        .isEmpty();
  }

  @Test
  void everyRecordingOfARenamedFamilyIsThereTranslated() {
    List<String> recordings =
        RuleFiles.read(Repository.RULES).recordings().stream()
            .filter(rule -> isRenamed(rule.expr()))
            .map(Rule::name)
            .filter(name -> !LATER.contains(name))
            .distinct()
            .toList();
    assertThat(recordings).isNotEmpty();

    findTheSame(recordings);
  }
}
