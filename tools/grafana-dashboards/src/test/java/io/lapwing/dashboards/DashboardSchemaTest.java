package io.lapwing.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboards against the types that Grafana 10.4 publishes, by the compiler of TypeScript. */
class DashboardSchemaTest {

  private static final Path SCHEMA = Path.of("schema").toAbsolutePath();

  private static final Path TSC = SCHEMA.resolve("node_modules/typescript/bin/tsc");

  private static final List<String> OF_ANNOTATIONS =
      List.of("name", "datasource", "enable", "hide", "iconColor");

  private static final String RAW = "@grafana/schema/dist/esm/raw/";

  /** Where the types of each panel are. */
  private static final Map<String, String> PANELS =
      Map.of(
          "stat", "stat/panelcfg/x/StatPanelCfg_types.gen",
          "table", "table/panelcfg/x/TablePanelCfg_types.gen",
          "timeseries", "timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen",
          "state-timeline", "statetimeline/panelcfg/x/StateTimelinePanelCfg_types.gen",
          "heatmap", "heatmap/panelcfg/x/HeatmapPanelCfg_types.gen",
          "bargauge", "bargauge/panelcfg/x/BarGaugePanelCfg_types.gen");

  /** JSON has the values of enumerations where TypeScript has their names. */
  private static final String PLAIN =
      """
      type Plain<T> = T extends string ? `${T}` : T extends number | boolean | null | undefined ? T
        : T extends Array<infer E> ? Array<Plain<E>> : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
      """;

  private static String program(List<Dashboard> dashboards) {
    StringBuilder ts = new StringBuilder(PLAIN);
    ts.append("import type { Dashboard, Panel } from '")
        .append(RAW)
        .append("dashboard/x/dashboard_types.gen';\n");
    ts.append("import type { PrometheusDataQuery } from '")
        .append(RAW)
        .append("composable/prometheus/dataquery/x/PrometheusDataQuery_types.gen';\n");
    PANELS.forEach(
        (type, file) ->
            ts.append(
                "import type * as %s from '%scomposable/%s';\n".formatted(name(type), RAW, file)));
    int number = 0;
    for (Dashboard dashboard : dashboards) {
      ObjectNode json = DashboardJson.of(dashboard);
      // Their published type has no query: each data source adds the fields of its own.
      json.path("annotations")
          .path("list")
          .forEach(annotation -> ((ObjectNode) annotation).retain(OF_ANNOTATIONS));
      ts.append("export const d%d: Plain<Dashboard> = %s;\n".formatted(number++, json));
      for (JsonNode panel : json.path("panels")) {
        if (!panel.path("type").asText().equals("row")) {
          number = panel(ts, panel, number);
        }
        for (JsonNode folded : panel.path("panels")) {
          number = panel(ts, folded, number);
        }
      }
    }
    return ts.toString();
  }

  private static int panel(StringBuilder ts, JsonNode panel, int number) {
    int next = number;
    String type = name(panel.path("type").asText());
    ts.append("export const p%d: Plain<Panel> = %s;\n".formatted(next++, panel));
    ts.append(
        "export const o%d: Plain<%s.Options> = %s;\n"
            .formatted(next++, type, panel.path("options")));
    if (List.of("timeseries", "table", "state_timeline").contains(type)) {
      ts.append(
          "export const f%d: Plain<%s.FieldConfig> = %s;\n"
              .formatted(next++, type, panel.at("/fieldConfig/defaults/custom")));
    }
    for (JsonNode target : panel.path("targets")) {
      ts.append("export const q%d: Plain<PrometheusDataQuery> = %s;\n".formatted(next++, target));
    }
    return next;
  }

  private static String name(String type) {
    return type.replace('-', '_');
  }

  private static String compile(Path dir, String program) throws Exception {
    assumeTrue(
        Files.exists(TSC), "needs Grafana's types: npm ci in tools/grafana-dashboards/schema");
    assumeTrue(runs("node", "--version"), "needs node (Debian: nodejs)");
    Path file = Files.writeString(dir.resolve("dashboards.ts"), program);
    Process tsc =
        new ProcessBuilder(
                "node",
                TSC.toString(),
                "--noEmit",
                "--strict",
                "--skipLibCheck",
                "--module",
                "commonjs",
                "--moduleResolution",
                "node",
                "--baseUrl",
                SCHEMA.resolve("node_modules").toString(),
                file.toString())
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(tsc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    tsc.waitFor();
    return said;
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  @Test
  void everyDashboardHasTheTypesThatGrafanaPublishes(@TempDir Path dir) throws Exception {
    assertThat(compile(dir, program(DashboardFiles.all()))).isEmpty();
  }

  @Test
  void aFieldThatGrafanaDoesNotKnowIsFound(@TempDir Path dir) throws Exception {
    String wrong =
        program(DashboardFiles.all())
            .replaceAll("\"colorMode\":\"\\w+\"", "\"colorMode\":\"loud\"");

    assertThat(compile(dir, wrong)).contains("loud");
  }
}
