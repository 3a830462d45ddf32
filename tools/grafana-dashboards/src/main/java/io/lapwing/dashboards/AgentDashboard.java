package io.lapwing.dashboards;

import java.util.List;

/** The agents themselves. */
final class AgentDashboard {

  private AgentDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "lapwing-agent",
        "Lapwing / Agent",
        "The agents themselves: failures, and resource usage.",
        "1m",
        "now-6h",
        List.of(Variable.DATASOURCE, Variable.CLUSTER, Variable.NODES, Variable.TOP),
        Annotation.of("lapwing_build_info{node}", false),
        List.of(
            AgentSightRows.now(),
            AgentSightRows.collectors(),
            AgentCostRows.cost(),
            AgentCostRows.scrapes()));
  }
}
