package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeFacts.ExpectedHardware;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/** A GPU with less memory than its instance type specifies. */
final class GpuMemorySize implements GpuRule {

  private static final Duration LASTING = Duration.ofHours(1);

  private static final String LEAST = "least_share";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpu_memory")
        .about("A GPU has clearly less memory than its instance type should have.")
        .why(
            "A model that fits the other GPUs may not fit this one. Causes are errors in the protected region of the memory (XID 168), or a GPU of another model.")
        .document("EC2 instance data; nvmlDeviceGetMemoryInfo_v2")
        .disposition(Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END))
        .startsAs(Disposition.WATCH, LASTING)
        .escalates()
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(LEAST, 0.95, 0.01, 1, "ratio")
        .meaning(
            "NVML's total divided by EC2's figure, below which the rule fires; on healthy GPUs the two differ by about one percent.")
        .needs(DcgmMetrics.FB_TOTAL)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    OptionalDouble total = gpu.values().get(DcgmMetrics.FB_TOTAL);
    double expected = view.node().expected().map(ExpectedHardware::gpuMemoryMiB).orElse(0L);
    return total.isPresent()
            && expected > 0
            && total.getAsDouble() < policy.threshold(LEAST) * expected
        ? Optional.of(
            policy
                .detection(gpu.subject(), what(total.getAsDouble(), expected), DcgmMetrics.FB_TOTAL)
                .withGrace(policy.spec(), policy.spec().why()))
        : Optional.empty();
  }

  private static String what(double total, double expected) {
    return "%s MiB of memory, %s of the %s MiB that the instance type has"
        .formatted(
            RuleText.number(total), RuleText.percent(total / expected), RuleText.number(expected));
  }
}
