package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A GPU that answers but lacks values that its siblings have. */
final class GpuMetricsUnavailable implements GpuRule {

  /** Metrics that other rules need. */
  private static final List<Metric> ESSENTIAL =
      List.of(
          DcgmMetrics.ECC_CURRENT,
          DcgmMetrics.ECC_DBE_VOL_TOTAL,
          DcgmMetrics.ROW_REMAP_FAILURE,
          DcgmMetrics.ROW_REMAP_PENDING,
          DcgmMetrics.THRESHOLD_SRM,
          DcgmMetrics.GET_GPU_RECOVERY_ACTION,
          DcgmMetrics.GPU_TEMP,
          GpuMetrics.NVLINKS_UP);

  /** NVML may not return these in MIG mode. */
  private static final Set<Metric> NOT_WITH_MIG =
      Set.of(DcgmMetrics.ROW_REMAP_FAILURE, DcgmMetrics.ROW_REMAP_PENDING, GpuMetrics.NVLINKS_UP);

  /** These are missing where ECC is off, which is a separate finding. */
  private static final Set<Metric> NOT_WITHOUT_ECC =
      Set.of(DcgmMetrics.ECC_DBE_VOL_TOTAL, DcgmMetrics.THRESHOLD_SRM);

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpu_blind")
        .about("A GPU answers, but lacks metrics that the other GPUs of the node have.")
        .why("The missing values may be the fault itself, so the GPU is not reported as healthy.")
        .document("Lapwing, lapwing_collector_read_errors_total")
        .disposition(Disposition.unknown())
        .openAfter(Duration.ofMinutes(3))
        .closeAfter(Duration.ofSeconds(10))
        .needs(ESSENTIAL.toArray(Metric[]::new))
        .reads(DcgmMetrics.MIG_MODE)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    List<String> missing =
        ESSENTIAL.stream()
            .filter(metric -> !has(gpu, metric) && siblingHas(gpu, view, metric))
            .map(Metric::name)
            .toList();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            policy.detection(
                gpu.subject(),
                "answers, but without " + RuleText.list(missing) + ", which other GPUs have",
                missing.toArray(String[]::new)));
  }

  private static boolean siblingHas(GpuStatus gpu, NodeSnapshot view, Metric metric) {
    return !isExcused(gpu, metric)
        && GpuRule.answering(view).stream().anyMatch(sibling -> has(sibling, metric));
  }

  private static boolean isExcused(GpuStatus gpu, Metric metric) {
    return (NOT_WITH_MIG.contains(metric) && gpu.values().isSet(DcgmMetrics.MIG_MODE))
        || (NOT_WITHOUT_ECC.contains(metric)
            && gpu.values().get(DcgmMetrics.ECC_CURRENT).orElse(1) == 0);
  }

  private static boolean has(GpuStatus gpu, Metric metric) {
    return gpu.values().has(metric);
  }
}
