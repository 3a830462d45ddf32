package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.List;

/** A GPU that moves less data over NVLink than its equally active siblings. */
final class SlowNvlink implements HealthRule {

  private static final String TRAFFIC = "share_of_traffic";
  private static final String LEAST = "least_bytes_per_second";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpu_slow_nvlink")
        .about("A GPU moves less data over NVLink than its siblings, which are equally active.")
        .why(
            "Its links may be slow, and all other ranks of a job wait for it; a program that spreads its data unevenly would look the same, so compare the GPU under equal work first.")
        .document("Lapwing; NVML fields 138 and 139, or 202 and 204")
        .disposition(Disposition.WATCH)
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofMinutes(2))
        .threshold(TRAFFIC, 0.7, 0.1, 0.95, "ratio")
        .meaning(
            "Share of the median traffic of the siblings in 5 minutes, below which a GPU is slow while all GPUs of the node are equally active and the siblings move equally much; Lapwing's own choice.")
        .threshold(LEAST, 1e9, 1, 1e13, "bytes per second")
        .meaning(
            "Minimum median traffic, sent and received, for a comparison; Lapwing's own choice, about 0.1 percent of the speed of an H100's links.")
        .threshold(SlowClock.BUSY, 0.5, 0.05, 1, "ratio")
        .meaning("Minimum SM activity of a busy GPU; Lapwing's own choice.")
        .needs(GpuMetrics.NVLINK_TX_BYTES)
        .reads(DcgmMetrics.MIG_MODE, DcgmMetrics.ENFORCED_POWER_LIMIT, DcgmMetrics.GPU_UTIL)
        .trends(
            GpuMetrics.SM_ACTIVE_SECONDS, GpuMetrics.NVLINK_TX_BYTES, GpuMetrics.NVLINK_RX_BYTES)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return EvenLoad.of(view, policy.threshold(SlowClock.BUSY))
        .flatMap(
            load ->
                load.lowest(
                    policy.threshold(TRAFFIC),
                    policy.threshold(LEAST),
                    GpuMetrics.NVLINK_TX_BYTES,
                    GpuMetrics.NVLINK_RX_BYTES))
        .map(slow -> detection(slow, policy))
        .stream()
        .toList();
  }

  private static Detection detection(Cohort.Slow slow, RulePolicy policy) {
    return policy.detection(
        slow.gpu().subject(),
        "moved %s MB a second over NVLink in the last %s, %s of the median of its equally active siblings"
            .formatted(
                Math.round(slow.own() / 1e6),
                RuleText.duration(EvenLoad.WINDOW),
                RuleText.percent(slow.own() / slow.median())),
        GpuMetrics.NVLINK_TX_BYTES,
        GpuMetrics.NVLINK_RX_BYTES);
  }
}
