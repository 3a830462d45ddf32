package io.lapwing.dashboards;

import java.util.List;

/** Memory errors and remapped rows; NVLink and PCIe. */
final class NodeMemoryRows {

  private static final String LEGEND = "{{instance}} GPU {{gpu}}";

  private NodeMemoryRows() {}

  private static Query byGpu(String family) {
    return Query.lines("max by (instance, gpu) (" + family + "{gpu})", LEGEND);
  }

  private static Query cell(String family) {
    return Query.rows("max by (gpu) (" + family + "{gpu})");
  }

  static Row memory() {
    return Row.folded(
        "Memory: ECC errors and remapped rows",
        Panel.lines(
                "Corrected errors",
                "Corrected ECC errors over the life of the board. A high count alone is harmless;"
                    + " an increasing rate may precede a fault.",
                Unit.COUNT,
                byGpu("DCGM_FI_DEV_ECC_SBE_AGG_TOTAL"))
            .size(8, 8),
        Panel.lines(
                "Uncorrectable errors",
                "Uncorrectable ECC errors over the life of the board. Each affected some work.",
                Unit.COUNT,
                byGpu("DCGM_FI_DEV_ECC_DBE_AGG_TOTAL"))
            .size(8, 8),
        Panel.table(
                "Remapped rows",
                "Memory rows replaced by spare ones, pending and failed remaps, and banks without"
                    + " spare rows.",
                List.of(
                    Column.of("gpu", "GPU").width(50),
                    Column.of("Value #A", "Uncorrectable", Unit.COUNT).scale(Scale.rising(1, 448)),
                    Column.of("Value #B", "Correctable", Unit.COUNT),
                    Column.of("Value #C", "Reset pending").scale(Scales.YES_IS_BAD),
                    Column.of("Value #D", "Failed").scale(Scales.YES_IS_BAD),
                    Column.of("Value #E", "Banks without spare rows", Unit.COUNT)
                        .scale(Scale.rising(1))),
                cell("DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS"),
                cell("DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS"),
                cell("DCGM_FI_DEV_ROW_REMAP_PENDING"),
                cell("DCGM_FI_DEV_ROW_REMAP_FAILURE"),
                cell("DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_NONE"))
            .size(8, 8));
  }

  static Row links() {
    return Row.folded(
        "NVLink and PCIe",
        Panel.lines(
                "NVLinks up",
                "Active NVLinks. On nodes with NVSwitches a link that is down slows a job or"
                    + " keeps it from starting.",
                Unit.COUNT,
                byGpu("lapwing_gpu_nvlinks_up"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "NVLink traffic",
                "Payload sent and received by each GPU over all NVLinks.",
                Unit.BYTES_PER_SECOND,
                Query.lines(
                    """
                    max by (instance, gpu) (
                      rate(lapwing_gpu_nvlink_tx_bytes_total{gpu}[$__rate_interval])
                      + rate(lapwing_gpu_nvlink_rx_bytes_total{gpu}[$__rate_interval]))
                    """,
                    LEGEND))
            .interval("1m") // without GPM it is read once a minute
            .size(8, 8)
            .from(0),
        Panel.lines(
                "NVLink errors",
                "Replays, recoveries and CRC errors per second of links with errors. Lost data is"
                    + " retransmitted, which slows the link.",
                Unit.PER_SECOND,
                Query.lines(
                    """
                    sum by (instance, gpu, link, kind) (
                      rate(lapwing_gpu_nvlink_errors_total{gpu}[$__rate_interval]))
                    """,
                    LEGEND + " link {{link}} {{kind}}"))
            .interval("1m") // they are read once a minute
            .size(8, 8)
            .from(0)
            .whenEmpty("No NVLink errors since the agent started"),
        Panel.lines(
                "PCIe traffic",
                "Bytes sent and received by each GPU over PCIe.",
                Unit.BYTES_PER_SECOND,
                Query.lines(
                    """
                    max by (instance, gpu) (
                      rate(lapwing_gpu_pcie_tx_bytes_total{gpu}[$__rate_interval])
                      + rate(lapwing_gpu_pcie_rx_bytes_total{gpu}[$__rate_interval]))
                    """,
                    LEGEND))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "PCIe replays",
                "Packets per second that the PCIe link retransmitted.",
                Unit.PER_SECOND,
                Query.lines(
                    "max by (instance, gpu) (rate(DCGM_FI_DEV_PCIE_REPLAY_COUNTER{gpu}[$__rate_interval]))",
                    LEGEND))
            .size(8, 8)
            .from(0),
        Panel.table(
                "PCIe links",
                "Current and maximum generation and lanes of each link. An idle GPU uses a lower"
                    + " generation to save power.",
                List.of(
                    Column.of("gpu", "GPU").width(50),
                    Column.of("Value #A", "Lanes", Unit.COUNT),
                    Column.of("Value #B", "Max lanes", Unit.COUNT),
                    Column.of("Value #C", "Generation", Unit.COUNT),
                    Column.of("Value #D", "Max generation", Unit.COUNT)),
                cell("DCGM_FI_DEV_PCIE_LINK_WIDTH"),
                cell("DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH"),
                cell("DCGM_FI_DEV_PCIE_LINK_GEN"),
                cell("DCGM_FI_DEV_PCIE_MAX_LINK_GEN"))
            .size(8, 8));
  }
}
