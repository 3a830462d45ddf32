package io.lapwing.dashboards;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Memory errors, remapped rows, temperature: covers the dashboard "GPU Health - Cluster". */
final class FleetMemoryRows {

  private static final List<Column> GPU = List.of(Column.node(), Column.of("gpu", "GPU").width(50));

  private FleetMemoryRows() {}

  static Row memory() {
    return Row.folded(
        "Memory: ECC errors and remapped rows",
        Panel.table(
                "GPUs with uncorrectable errors or remapped rows",
                "Uncorrectable errors since the driver was loaded, failed and pending remaps, and"
                    + " remapped rows. A failed remap needs a replacement; a pending one needs a"
                    + " GPU reset at the end of the job.",
                columns(
                    Column.of("Value #A", "Remap failed").scale(Scales.YES_IS_BAD),
                    Column.of("Value #B", "Reset pending").scale(Scales.YES_IS_BAD),
                    Column.of("Value #C", "Uncorrectable", Unit.COUNT).scale(Scale.rising(1)),
                    Column.of("Value #D", "Rows, uncorrectable", Unit.COUNT)
                        .scale(Scale.rising(1, 448)),
                    Column.of("Value #E", "Rows, correctable", Unit.COUNT)),
                suspects("DCGM_FI_DEV_ROW_REMAP_FAILURE"),
                suspects("DCGM_FI_DEV_ROW_REMAP_PENDING"),
                suspects("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL"),
                suspects("DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS"),
                suspects("DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS"))
            .size(24, 6)
            .whenEmpty("No GPU has errors or remapped rows"),
        Panel.lines(
                "Uncorrectable ECC errors an hour, by node",
                "New uncorrectable errors of a node's GPUs within the last hour. Each affected"
                    + " some work; nodes without errors are left out.",
                Unit.COUNT,
                Query.lines(
                    "round("
                        + Selectors.top("instance:lapwing_gpu_ecc_uncorrectable:increase1h{type}")
                        + ") > 0",
                    "{{instance}}"))
            .size(8, 8)
            .link(Link.NODE_OF_LINE)
            .whenEmpty("No uncorrectable errors in this time range"),
        Panel.lines(
                "Corrected ECC errors an hour, by node",
                "New corrected errors of a node's GPUs within the last hour. A high count alone"
                    + " is harmless; an increasing rate may precede a fault.",
                Unit.COUNT,
                Query.lines(
                    "round("
                        + Selectors.top("instance:lapwing_gpu_ecc_corrected:increase1h{type}")
                        + ") > 0",
                    "{{instance}}"))
            .size(8, 8)
            .link(Link.NODE_OF_LINE)
            .whenEmpty("No corrected errors in this time range"),
        Panel.table(
                "Corrected errors against the fleet",
                "Corrected errors of a GPU within a day, highest first, beside the 95th"
                    + " percentile of the GPUs of its model. The percentile needs at least 32"
                    + " GPUs of a model.",
                columns(
                    Column.of("Value #A", "Per day", Unit.COUNT),
                    Column.of("modelName", "Model"),
                    Column.of("Value #B", "p95 for this GPU model", Unit.COUNT)),
                Query.rows(
                    "topk($top, max by (cluster, instance, gpu, modelName) (" + daily() + "))"),
                Query.rows(
                    """
                    0 * topk($top, max by (cluster, instance, gpu, modelName) (%s))
                      + on (cluster, modelName) group_left ()
                        (last_over_time(cluster_model:lapwing_ecc_sbe_increase1d:p95{cluster}[2h]) > 0)
                    """
                        .formatted(daily())))
            .size(8, 8)
            .whenEmpty("No corrected errors in the last day"));
  }

  private static List<Column> columns(Column... more) {
    return Stream.concat(GPU.stream(), Arrays.stream(more)).toList();
  }

  /** Corrected errors within a day, a whole number, of the GPUs that had any. */
  private static String daily() {
    return Selectors.ofType(
        "round(last_over_time(gpu:lapwing_ecc_sbe:increase1d{cluster}[2h])) > 0");
  }

  /** A value of the GPUs with any error, remap or remapped row. */
  private static Query suspects(String family) {
    return Query.rows(
        """
        max by (cluster, instance, gpu) (%s{cluster})
          and on (cluster, instance, gpu) (
            DCGM_FI_DEV_ROW_REMAP_FAILURE{cluster} > 0 or DCGM_FI_DEV_ROW_REMAP_PENDING{cluster} > 0
            or DCGM_FI_DEV_ECC_DBE_VOL_TOTAL{cluster} > 0 or DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS{cluster} > 0
            or DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS{cluster} > 0)
          and on (cluster, instance) lapwing_node_info{type}
        """
            .formatted(family));
  }

  static Row heat() {
    return Row.folded(
        "Temperature and power",
        Panel.table(
                "Hottest GPUs",
                "The hottest GPUs, with their margin to thermal slowdown.",
                columns(
                    Column.of("Value #A", "Core", Unit.CELSIUS),
                    Column.of("Value #B", "Memory", Unit.CELSIUS).scale(Scale.rising(95, 105)),
                    Column.of("Value #C", "Margin to slowdown", Unit.CELSIUS)
                        .scale(Scale.falling(5, 10))),
                hottest("DCGM_FI_DEV_GPU_TEMP"),
                hottest("DCGM_FI_DEV_MEMORY_TEMP"),
                hottest("DCGM_FI_DEV_GPU_TEMP_LIMIT"))
            .size(8, 8),
        slowed(
            "Thermal throttling",
            "Share of time in which the worst GPU of a node was throttled by heat, by the driver or"
                + " by the hardware.",
            slowed("SW_THERM_SLOWDOWN", "{{instance}} driver"),
            slowed("HW_THERM_SLOWDOWN", "{{instance}} hardware")),
        slowed(
            "Power throttling",
            "Share of time in which the worst GPU of a node was throttled by the power limit."
                + " This is normal under full load; compare nodes of one job.",
            slowed("SW_POWER_CAP", "{{instance}}")));
  }

  private static Query hottest(String family) {
    return Query.rows(
        """
        max by (cluster, instance, gpu) (%s{cluster})
          and on (cluster, instance, gpu)
            topk($top, max by (cluster, instance, gpu) (%s))
        """
            .formatted(family, Selectors.ofType("DCGM_FI_DEV_GPU_TEMP{cluster}")));
  }

  private static Query slowed(String reason, String legend) {
    String family = "DCGM_FI_DEV_CLOCKS_EVENT_REASON_" + reason + "_NS";
    return Query.lines(
        "topk($top, max by (cluster, instance) ("
            + Selectors.ofType("rate(" + family + "{cluster}[$__rate_interval])")
            + ") / 1e9 > 0.001)",
        legend);
  }

  private static Panel slowed(String title, String description, Query... queries) {
    return Panel.lines(title, description, Unit.RATIO, queries)
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE)
        .whenEmpty("No node was throttled");
  }
}
