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

/** A GPU whose memory is slower than that of its siblings, by its clock or by its bandwidth. */
final class SlowMemory implements HealthRule {

  private static final String TRAFFIC = "share_of_traffic";
  private static final String LEAST = "least_dram_activity";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpu_slow_memory")
        .about(
            "A busy GPU has a lower memory clock than its siblings without a reported reason, or uses its memory less than siblings that are equally active.")
        .why(
            "The memory of the GPU may be slow, and all other ranks of a job wait for it; a smaller share of the work would look the same, so compare the GPU under equal work first.")
        .document("Lapwing; NVML, nvmlDeviceGetClockInfo and GPM metrics 2 and 10")
        .disposition(Disposition.WATCH)
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofMinutes(2))
        .threshold(SlowClock.SHARE, 0.9, 0.1, 0.99, "ratio")
        .meaning(
            "Share of the median memory clock of the node's other busy GPUs of the same model and power limit, below which a GPU is slow; Lapwing's own choice.")
        .threshold(TRAFFIC, 0.7, 0.1, 0.95, "ratio")
        .meaning(
            "Share of the median memory activity of the siblings in 5 minutes, below which a GPU is slow while all GPUs of the node are equally active; Lapwing's own choice.")
        .threshold(LEAST, 0.1, 0.01, 1, "ratio")
        .meaning("Minimum median memory activity for a comparison; Lapwing's own choice.")
        .threshold(SlowClock.BUSY, 0.5, 0.05, 1, "ratio")
        .meaning("Minimum SM activity of a busy GPU; Lapwing's own choice.")
        .needs(DcgmMetrics.MEM_CLOCK)
        .reads(
            GpuMetrics.CLOCK_EVENT_ACTIVE,
            DcgmMetrics.MIG_MODE,
            DcgmMetrics.ENFORCED_POWER_LIMIT,
            DcgmMetrics.GPU_UTIL)
        .trends(GpuMetrics.SM_ACTIVE_SECONDS, GpuMetrics.DRAM_ACTIVE_SECONDS)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<Cohort.Slow> clocks = SlowClock.unexplained(view, policy, DcgmMetrics.MEM_CLOCK);
    if (!clocks.isEmpty()) {
      return clocks.stream()
          .map(
              slow ->
                  policy.detection(
                      slow.gpu().subject(),
                      SlowClock.text(slow, "memory clock"),
                      DcgmMetrics.MEM_CLOCK,
                      GpuMetrics.CLOCK_EVENT_ACTIVE))
          .toList();
    }
    return EvenLoad.of(view, policy.threshold(SlowClock.BUSY))
        .flatMap(
            load ->
                load.lowest(
                    policy.threshold(TRAFFIC),
                    policy.threshold(LEAST),
                    GpuMetrics.DRAM_ACTIVE_SECONDS))
        .map(slow -> traffic(slow, policy))
        .stream()
        .toList();
  }

  private static Detection traffic(Cohort.Slow slow, RulePolicy policy) {
    return policy.detection(
        slow.gpu().subject(),
        "its memory was active in %s of the last %s, that of its equally active siblings in %s"
            .formatted(
                RuleText.percent(slow.own()),
                RuleText.duration(EvenLoad.WINDOW),
                RuleText.percent(slow.median())),
        GpuMetrics.DRAM_ACTIVE_SECONDS,
        GpuMetrics.SM_ACTIVE_SECONDS);
  }
}
