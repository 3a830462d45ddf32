package io.lapwing.dashboards;

import java.util.List;

/** EFA and Lustre of all nodes. */
final class NetworkDashboard {

  private NetworkDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "lapwing-network",
        "Lapwing / Network and storage",
        "EFA, Lustre and LNet over all nodes: is a slow job caused by the network, the storage or"
            + " one node?",
        "1m",
        "now-6h",
        List.of(
            Variable.DATASOURCE,
            Variable.CLUSTER,
            Variable.INSTANCE_TYPE,
            Variable.NODES_OF_TYPE,
            Variable.TOP,
            Variable.DOCS),
        Annotation.of("lapwing_node_info{nodes}", false),
        List.of(
            NetworkEfaRows.now(),
            NetworkEfaRows.traffic(),
            NetworkEfaRows.errors(),
            NetworkLustreRows.latency(),
            NetworkLustreRows.connections(),
            NetworkLustreRows.space()));
  }
}
