package io.lapwing.rules;

import java.util.List;
import java.util.Set;

/** Series of other exporters that rules and dashboards may name. */
final class Foreign {

  /** Labels of dcgm-exporter that Lapwing does not have. */
  private static final Set<String> OF_DCGM_EXPORTER =
      Set.of(
          "hostname",
          "Hostname",
          "container",
          "namespace",
          "pod",
          "hpc_job",
          "GPU_I_ID",
          "GPU_I_PROFILE",
          "DCGM_FI_DRIVER_VERSION",
          "err_code",
          "err_msg");

  /**
   * Of Prometheus itself: what it adds to each scrape, and its own alerts. What DCGM before 3.3
   * called the reasons for slow clocks. And whether a scheduler uses a node, by
   * prometheus-slurm-exporter (node.go) and kube-state-metrics
   * (docs/metrics/cluster/node-metrics.md).
   */
  static final List<Family> FAMILIES =
      List.of(
          new Family("up", false, Set.of()),
          new Family("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", false, OF_DCGM_EXPORTER)
              .with(Set.of("gpu", "UUID", "device", "modelName")),
          new Family("slurm_node_cpu_total", false, Set.of("node", "status")),
          new Family("kube_node_spec_unschedulable", false, Set.of("node")),
          new Family("scrape_duration_seconds", false, Set.of()),
          new Family("scrape_samples_scraped", false, Set.of()),
          new Family("scrape_samples_post_metric_relabeling", false, Set.of()),
          new Family("scrape_series_added", false, Set.of()),
          new Family(
              "ALERTS", false, Set.of("alertname", "alertstate", "severity", "action", "scope")));

  private Foreign() {}

  /** The family with dcgm-exporter's labels, if dcgm-exporter has it. */
  static Family ofDcgmExporter(Family family) {
    return family.name().startsWith("DCGM_") ? family.with(OF_DCGM_EXPORTER) : family;
  }
}
