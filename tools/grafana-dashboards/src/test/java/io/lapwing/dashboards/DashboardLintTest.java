package io.lapwing.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.rules.promql.Expr;
import io.lapwing.rules.promql.Promql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of dashboard-linter, but for what {@code .lint} leaves out. */
class DashboardLintTest {

  /** A window that does not occur in hand-written queries. */
  private static final Duration RATE_INTERVAL = Duration.ofMinutes(61);

  private static final Set<String> OF_COUNTERS = Set.of("rate", "irate", "increase");

  private static Expr parsed(PanelQuery query) {
    return Promql.parse(Chosen.ALL.with("$__rate_interval", "61m").fill(query.query().expr()));
  }

  /** Titles of panels with a query that breaks a rule, and is not left out. */
  private static List<String> breaking(String rule, Predicate<PanelQuery> breaks) {
    try {
      Exclusions exclusions = Exclusions.read();
      return PanelQuery.all().stream()
          .filter(query -> !exclusions.exclude(rule, query.panel().title()))
          .filter(breaks)
          .map(PanelQuery::toString)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<JsonNode> panels(Dashboard dashboard) {
    List<JsonNode> panels = new ArrayList<>();
    DashboardJson.of(dashboard)
        .path("panels")
        .forEach(
            panel -> {
              if (!panel.path("type").asText().equals("row")) {
                panels.add(panel);
              }
              panel.path("panels").forEach(panels::add);
            });
    return panels.stream();
  }

  @Test
  void theDataSourceIsChosenOnceAndUsedByAll() {
    for (Dashboard dashboard : DashboardFiles.all()) {
      JsonNode first = DashboardJson.of(dashboard).path("templating").path("list").path(0);
      assertThat(first.path("name").asText()).isEqualTo("datasource");
      assertThat(first.path("type").asText()).isEqualTo("datasource");
      assertThat(first.path("query").asText()).isEqualTo("prometheus");
      assertThat(first.path("label").asText()).isEqualTo("Data Source");
      assertThat(panels(dashboard))
          .allSatisfy(
              panel -> {
                assertThat(panel.at("/datasource/uid").asText()).isEqualTo("${datasource}");
                panel
                    .path("targets")
                    .forEach(
                        target ->
                            assertThat(target.at("/datasource/uid").asText())
                                .isEqualTo("${datasource}"));
              });
    }
  }

  @Test
  void variablesAreReloadedWhenTheTimeRangeChanges() {
    for (Dashboard dashboard : DashboardFiles.all()) {
      DashboardJson.of(dashboard)
          .path("templating")
          .path("list")
          .forEach(
              variable -> {
                if (variable.path("type").asText().equals("query")) {
                  assertThat(variable.path("refresh").asInt()).isEqualTo(2);
                }
              });
    }
  }

  @Test
  void whatSeveralCanBeChosenOfHasAValueForAllOfThem() {
    for (Dashboard dashboard : DashboardFiles.all()) {
      assertThat(dashboard.variables())
          .filteredOn(Variable::several)
          .allSatisfy(variable -> assertThat(variable.all()).matches("\\.[*+]|[a-z|]+"));
    }
  }

  @Test
  void everyPanelHasATitleADescriptionAndAQuery() {
    for (Dashboard dashboard : DashboardFiles.all()) {
      assertThat(dashboard.panels())
          .allSatisfy(
              panel -> {
                assertThat(panel.title()).isNotBlank();
                assertThat(panel.description()).as(panel.title()).endsWith(".");
                assertThat(panel.queries()).as(panel.title()).isNotEmpty();
              });
    }
  }

  @Test
  void everyPanelHasAUnit() {
    List<String> without =
        breaking(
            "panel-units-rule",
            query ->
                query.panel().unit() == Unit.WORD && query.panel().kind() != Panel.Kind.STATES);

    assertThat(without).isEmpty();
  }

  @Test
  void windowsAreThoseThatGrafanaChooses() {
    List<String> byHand =
        breaking(
            "target-rate-interval-rule",
            query ->
                parsed(query)
                    .selectors()
                    .flatMap(selector -> selector.range().stream())
                    .anyMatch(range -> !range.equals(RATE_INTERVAL)));

    assertThat(byHand).isEmpty();
  }

  @Test
  void countersAreAskedForTheirRate() {
    List<String> bare =
        breaking("target-counter-agg-rule", query -> parsed(query).nodes().anyMatch(this::isBare));

    assertThat(bare).isEmpty();
  }

  /** A counter somewhere below that is no argument of a rate. */
  private boolean isBare(Expr node) {
    boolean rated = node instanceof Expr.Call call && OF_COUNTERS.contains(call.function());
    return !rated
        && node.children().stream()
            .filter(Expr.Selector.class::isInstance)
            .map(Expr.Selector.class::cast)
            .anyMatch(selector -> selector.metric().endsWith("_total"));
  }

  @Test
  void noDashboardIsEditedByHand() {
    assertThat(DashboardFiles.all())
        .allSatisfy(
            dashboard ->
                assertThat(DashboardJson.of(dashboard).path("editable").asBoolean()).isFalse());
  }

  @Test
  void noRuleIsLeftOutForAPanelThatThereIsNot() throws IOException {
    Set<String> titles = new HashSet<>();
    DashboardFiles.all().forEach(one -> one.panels().forEach(panel -> titles.add(panel.title())));

    assertThat(Exclusions.read().panels().values())
        .allSatisfy(panels -> assertThat(titles).containsAll(panels));
  }
}
