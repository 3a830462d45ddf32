package io.lapwing.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.stack.Prometheus;
import io.lapwing.stack.Series;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every query of every panel, asked of a real Prometheus that scrapes agents on simulated nodes.
 * With {@code -Dpreview=FOLDER} it draws what came back there, a page for each dashboard.
 */
@Tag("slow")
@Tag("servers")
class DashboardDataTest {

  private static final Duration PATIENCE = Duration.ofMinutes(12);

  /** Panels without data on a simulated node, each with the test that covers it. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "LNet interfaces down",
          "LNet is up; promtool's lustre_test.yml has an interface that is down",
          "Repeat offenders in 30 days",
          "episodes are hours apart; promtool's fleet_hourly_test.yml has three",
          "Rules by number of affected nodes",
          "no rule has findings on three of these nodes; promtool's fleet_recordings_test.yml",
          "Scheduled EC2 events",
          "simulated nodes have no instance metadata service; the agent's CatalogueTest has one",
          "Share of time that a node's ranks wait for a rank",
          "simulated jobs do not call NCCL's plugin; the agent's LateCollectiveTest does",
          "Share of time that other nodes wait for a node",
          "as above; promtool's fleet_collectives_test.yml has the series",
          "Ranks that take no part in a collective",
          "as above; the agent's LateCollectiveTest has one",
          "Memory on shared GPUs",
          "each GPU has one holder; PanelDataTest has the series",
          "Utilization of shared GPUs",
          "as above");

  /** Windows as short as the scrapes allow. */
  static final Chosen SHORT =
      Chosen.ALL
          .with("$__rate_interval", "30s")
          .with("$__interval", "30s")
          .with("$__range", "5m")
          .with("$__range_s", "300")
          .with("$before", "30s")
          .with("$other", "4710")
          .with("$job", "4711");

  /** For a job that ended minutes ago. */
  private static final Chosen ENDED =
      SHORT.with("$__range", "14m").with("$__range_s", "840").with("$job", "4710");

  private static @Nullable LiveFleet fleet;

  @BeforeAll
  static void start(@TempDir Path dir) throws Exception {
    assumeTrue(Prometheus.program().isPresent(), "needs prometheus (Debian: prometheus)");
    assertThat(PanelQuery.all())
        .extracting(query -> query.panel().title())
        .containsAll(ELSEWHERE.keySet());
    fleet = new LiveFleet(dir);
    Instant latest = Instant.now().plus(PATIENCE);
    await()
        .atMost(PATIENCE.plusMinutes(2))
        .pollInterval(Duration.ofSeconds(5))
        .until(() -> Instant.now().isAfter(latest) || without().isEmpty());
  }

  @AfterAll
  static void stop() {
    if (fleet != null) {
      fleet.close();
    }
  }

  static List<Series> answer(Prometheus prometheus, Query query, Chosen chosen) {
    String expr = chosen.fill(query.expr());
    if (query.form().instant()) {
      return prometheus.query(expr);
    }
    Instant now = Instant.now();
    return prometheus.queryRange(expr, now.minusSeconds(300), now, Duration.ofSeconds(5));
  }

  private static Prometheus prometheus() {
    return Objects.requireNonNull(fleet).prometheus();
  }

  /** Queries that return nothing. */
  private static List<PanelQuery> without() {
    return PanelQuery.all().stream()
        .filter(query -> !ELSEWHERE.containsKey(query.panel().title()))
        .filter(query -> !answered(query.query()))
        .toList();
  }

  /**
   * All ranks of the simulated nodes are verified: what selects only the others is asked for these.
   */
  private static Query ofVerified(Query query) {
    return query.expr().contains("unless on")
        ? query
        : new Query(
            query.expr().replace("verified=\"0\"", "verified=\"1\""), query.legend(), query.form());
  }

  private static boolean answered(Query query) {
    List<Series> answer = answer(prometheus(), ofVerified(query), SHORT);
    return query.legend().contains(Unsupported.WORDS) ? !answer.isEmpty() : hasNumber(answer);
  }

  /** A number, and not the result of dividing nothing by nothing. */
  private static boolean hasNumber(List<Series> answer) {
    return answer.stream()
        .flatMap(series -> series.points().stream())
        .anyMatch(point -> Double.isFinite(point.value()));
  }

  @Test
  void everyQueryOfEveryPanelReturnsData() {
    assertThat(without()).isEmpty();
  }

  @Test
  void eachSeriesOfANodeHasANodeLabel() {
    List<String> silent = new ArrayList<>();
    for (PanelQuery query : PanelQuery.all()) {
      for (Series series : answer(prometheus(), query.query(), SHORT)) {
        if (series.labels().containsKey("instance") && !namesNode(query)) {
          silent.add(query.toString());
        }
      }
    }

    assertThat(silent).isEmpty();
  }

  private static boolean namesNode(PanelQuery query) {
    return query.panel().kind() == Panel.Kind.TABLE
        ? query.panel().columns().stream().anyMatch(column -> column.field().equals("instance"))
            || query.dashboard().uid().equals("lapwing-node")
        : query.query().legend().contains("{{instance}}");
  }

  @Test
  void everyLabelOfALegendIsOnTheSeries() {
    List<String> missing = new ArrayList<>();
    for (PanelQuery query : PanelQuery.all()) {
      Set<String> named =
          Pattern.compile("\\{\\{(\\w+)}}")
              .matcher(query.query().legend())
              .results()
              .map(found -> found.group(1))
              .collect(Collectors.toSet());
      for (Series series : answer(prometheus(), query.query(), SHORT)) {
        named.stream()
            .filter(label -> !label.startsWith("GPU_I_")) // only on instances of a GPU with MIG
            .filter(label -> !series.labels().containsKey(label))
            .forEach(label -> missing.add(label + ": " + query));
      }
    }

    assertThat(missing).isEmpty();
  }

  @Test
  void theFleetListsTheBrokenNodeFirst() {
    Query nodes =
        DashboardFiles.all().get(0).panels().stream()
            .filter(panel -> panel.title().equals("Nodes to act on"))
            .findFirst()
            .orElseThrow()
            .queries()
            .get(0);

    Series first = answer(prometheus(), nodes, SHORT).get(0);

    assertThat(first.label("instance")).isEqualTo("node-broken");
    assertThat(first.value()).as("failing, replace_node").isEqualTo(36);
  }

  @Test
  void theNodesToActOnHaveARowEach() {
    Panel panel =
        DashboardFiles.all().get(0).panels().stream()
            .filter(one -> one.title().equals("Nodes to act on"))
            .findFirst()
            .orElseThrow();

    for (Query query : panel.queries()) {
      List<String> nodes =
          answer(prometheus(), query, SHORT).stream()
              .map(series -> series.label("instance"))
              .toList();
      assertThat(nodes).as(query.expr()).doesNotHaveDuplicates().doesNotContain("node-well");
    }
    assertThat(answer(prometheus(), panel.queries().get(6), SHORT))
        .anySatisfy(
            series -> {
              assertThat(series.label("instance")).isEqualTo("node-broken");
              assertThat(series.value()).as("drained").isEqualTo(2);
            });
  }

  @Test
  void aJobThatHasEndedHasItsTilesAndTables() {
    assertThat(prometheus().query("instance_job_id:lapwing_gpus:allocated{job_id=\"4710\"}"))
        .isEmpty();
    List<Row> rows = DashboardFiles.all().get(2).rows();
    List<String> without =
        rows.subList(0, 2).stream()
            .flatMap(row -> row.panels().stream())
            .filter(panel -> panel.kind() == Panel.Kind.TABLE || panel.kind() == Panel.Kind.STAT)
            .filter(
                panel ->
                    panel.queries().stream()
                        .allMatch(query -> answer(prometheus(), query, ENDED).isEmpty()))
            .map(Panel::title)
            .toList();

    assertThat(without).isSubsetOf("Findings on the job's nodes", "XIDs on the job's GPUs");
  }

  @Test
  void annotationsHaveEvents() {
    List<Annotation> onNode = DashboardFiles.all().get(1).annotations();
    List<String> without =
        onNode.stream()
            .filter(annotation -> prometheus().query(ENDED.fill(annotation.expr())).isEmpty())
            .map(Annotation::name)
            .toList();

    assertThat(without)
        .isSubsetOf("Findings closed", "Node replaced", "Driver loads and boots", "EC2 events");
  }

  @Test
  void eachDashboardIsDrawn() throws Exception {
    String folder = System.getProperty("preview");
    assumeTrue(folder != null, "draws with -Dpreview=FOLDER only");
    Path to = Files.createDirectories(Path.of(folder));
    for (Dashboard dashboard : DashboardFiles.all()) {
      String html = new Preview(prometheus(), dashboard).html();
      Files.writeString(to.resolve(dashboard.uid() + ".html"), html);
      assertThat(html).contains(dashboard.panels().get(0).title());
    }
  }
}
