package io.lapwing.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Grafana needs to lay a dashboard out, to link to it and to find it again. */
class DashboardLayoutTest {

  /** What Grafana fills in by itself, and groups of a regex. */
  private static final Pattern OF_GRAFANA = Pattern.compile("__\\w+|[0-9]");

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)");

  static List<Dashboard> dashboards() {
    return DashboardFiles.all();
  }

  private record Box(int x, int y, int w, int h) {

    static Box of(JsonNode panel) {
      JsonNode grid = panel.path("gridPos");
      return new Box(
          grid.path("x").asInt(),
          grid.path("y").asInt(),
          grid.path("w").asInt(),
          grid.path("h").asInt());
    }

    boolean overlaps(Box other) {
      return x < other.x + other.w && other.x < x + w && y < other.y + other.h && other.y < y + h;
    }
  }

  private static List<JsonNode> all(JsonNode dashboard) {
    List<JsonNode> panels = new ArrayList<>();
    dashboard
        .path("panels")
        .forEach(
            panel -> {
              panels.add(panel);
              panel.path("panels").forEach(panels::add);
            });
    return panels;
  }

  @Test
  void eachHasAnAddressOfItsOwnThatIsShortEnough() {
    List<String> uids = dashboards().stream().map(Dashboard::uid).toList();

    assertThat(uids)
        .doesNotHaveDuplicates()
        .allSatisfy(uid -> assertThat(uid).matches("[a-z-]{1,40}"));
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void panelsHaveIdsOfTheirOwn(Dashboard dashboard) {
    assertThat(all(DashboardJson.of(dashboard)).stream().map(panel -> panel.path("id").asInt()))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void titlesAreUniqueWithinADashboard(Dashboard dashboard) {
    assertThat(dashboard.rows().stream().map(Row::title)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void panelsFitTheGridAndDoNotOverlap(Dashboard dashboard) {
    List<Box> boxes = new ArrayList<>();
    DashboardJson.of(dashboard).path("panels").forEach(panel -> boxes.add(Box.of(panel)));

    assertThat(boxes).allSatisfy(box -> assertThat(box.x() + box.w()).isLessThanOrEqualTo(24));
    for (int i = 0; i < boxes.size(); i++) {
      for (Box other : boxes.subList(i + 1, boxes.size())) {
        assertThat(boxes.get(i).overlaps(other)).as("%s and %s", boxes.get(i), other).isFalse();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void everyVariableIsUsedAndNoOther(Dashboard dashboard) {
    Set<String> used = new HashSet<>();
    String text = DashboardJson.of(dashboard).toString();
    VARIABLE.matcher(text).results().map(found -> found.group(1)).forEach(used::add);
    used.removeIf(name -> OF_GRAFANA.matcher(name).matches());

    assertThat(used)
        .containsExactlyInAnyOrderElementsOf(
            dashboard.variables().stream().map(Variable::name).toList());
  }

  static List<Dashboard> withInstanceType() {
    return dashboards().stream()
        .filter(one -> one.variables().contains(Variable.INSTANCE_TYPE))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("withInstanceType")
  void theInstanceTypeFiltersEveryPanel(Dashboard dashboard) {
    for (Panel panel : dashboard.panels()) {
      assertThat(panel.queries())
          .as(panel.title())
          .filteredOn(query -> !query.expr().contains("$instance_type"))
          .isEmpty();
    }
  }

  @Test
  void theNodeLinksItsOwnWebUi() {
    Dashboard node =
        dashboards().stream()
            .filter(one -> one.uid().equals("lapwing-node"))
            .findFirst()
            .orElseThrow();

    assertThat(DashboardJson.of(node).path("links").findValuesAsText("url"))
        .contains("http://${node}:9754/ui");
  }

  /** What Grafana selects has to be a value that there is, or it selects another. */
  @ParameterizedTest
  @MethodSource("dashboards")
  void theFirstChoiceIsAValue(Dashboard dashboard) {
    for (Variable variable : dashboard.variables()) {
      for (String value : variable.chosen()) {
        assertThat(variable.query()).as(variable.name()).contains(value);
      }
    }
    assertThat(Variable.LINES.query()).startsWith("Ten ranks");
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void theFirstRowIsOpenAndNamesNodesOrTheJob(Dashboard dashboard) {
    Row first = dashboard.rows().get(0);

    assertThat(first.folded()).isFalse();
    assertThat(first.panels())
        .anySatisfy(panel -> assertThat(panel.kind()).isEqualTo(Panel.Kind.TABLE));
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void linksLeadToDashboardsThatThereAre(Dashboard dashboard) {
    Set<String> uids = new HashSet<>();
    dashboards().forEach(one -> uids.add(one.uid()));
    Pattern.compile("\"/d/([a-z-]+)\\?")
        .matcher(DashboardJson.of(dashboard).toString())
        .results()
        .forEach(found -> assertThat(uids).contains(found.group(1)));
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void columnsOfATableReferToAFieldOfAQuery(Dashboard dashboard) {
    for (Panel panel : dashboard.panels()) {
      int queries = panel.queries().size();
      for (Column column : panel.columns()) {
        if (column.field().startsWith("Value")) {
          String last = "Value #" + (char) ('A' + queries - 1);
          assertThat(column.field())
              .as(panel.title())
              .isLessThanOrEqualTo(queries == 1 ? "Value" : last);
          assertThat(column.field().equals("Value")).as(panel.title()).isEqualTo(queries == 1);
        }
      }
    }
  }
}
