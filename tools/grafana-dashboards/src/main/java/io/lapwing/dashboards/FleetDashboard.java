package io.lapwing.dashboards;

import java.util.List;

/** All nodes of a fleet. */
final class FleetDashboard {

  private FleetDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "lapwing-fleet",
        "Lapwing / Fleet health",
        "Which node to replace now, why, and what it costs. Click a node's name for its dashboard.",
        "1m",
        "now-6h",
        List.of(
            Variable.DATASOURCE,
            Variable.CLUSTER,
            Variable.INSTANCE_TYPE,
            Variable.VERDICTS,
            Variable.TOP,
            Variable.DOCS),
        Annotation.of("lapwing_node_info{type}", false),
        List.of(
            FleetNowRow.now(),
            FleetVerdictRows.history(),
            FleetVerdictRows.xids(),
            FleetDomainRow.domains(),
            FleetMemoryRows.memory(),
            FleetMemoryRows.heat(),
            FleetCostRows.use(),
            FleetCostRows.offenders()));
  }
}
