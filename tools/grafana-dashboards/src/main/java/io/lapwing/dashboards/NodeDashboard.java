package io.lapwing.dashboards;

import java.util.List;

/** One node. */
final class NodeDashboard {

  private NodeDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "lapwing-node",
        "Lapwing / Node",
        "One node: verdict and evidence, GPUs, NVLink, EFA, Lustre, jobs.",
        "30s",
        "now-3h",
        List.of(
            Variable.DATASOURCE, Variable.CLUSTER, Variable.ONE_NODE, Variable.GPUS, Variable.DOCS),
        Annotation.of("lapwing_build_info{node}", true),
        List.of(
            NodeVerdictRows.verdict(),
            NodeGpuRows.gpus(),
            NodeVerdictRows.history(),
            NodeGpuRows.load(),
            NodeGpuRows.heat(),
            NodeMemoryRows.memory(),
            NodeMemoryRows.links(),
            NodeNetworkRows.efa(),
            NodeNetworkRows.lustre(),
            NodeNetworkRows.work()));
  }
}
