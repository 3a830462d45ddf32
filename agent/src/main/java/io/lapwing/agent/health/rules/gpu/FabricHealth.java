package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A GPU that has joined the NVLink fabric and reports the fabric or itself as unhealthy. */
final class FabricHealth implements GpuRule {

  private static final int UNHEALTHY = 2;
  private static final int LIMITED = 3;

  private static final String MENDING = "The fabric is recovering; it is slow in the meantime.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("fabric_health")
        .about("The NVLink fabric of a GPU is not healthy.")
        .why(
            "A reset trains the links and routes again. AWS found that these faults outlast a reboot, and so replaces the node; a running job may finish, slower.")
        .document("NVML, NVML_GPU_FABRIC_HEALTH_MASK_*; for AWS, the EKS node monitoring agent")
        .aws(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .nvidia(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END))
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofMinutes(4))
        .needs(DcgmMetrics.FABRIC_HEALTH_MASK, DcgmMetrics.FABRIC_HEALTH_SUMMARY)
        .reads(GpuMetrics.NVSWITCH_LINKS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    if (!Fabric.isExpected(gpu, view)) {
      return Optional.empty();
    }
    long mask = (long) gpu.values().get(DcgmMetrics.FABRIC_HEALTH_MASK).orElse(0);
    List<String> faults = Fabric.faults(mask);
    List<String> recoveries = Fabric.recoveries(mask);
    if (!faults.isEmpty()) {
      return Optional.of(detection(gpu, RuleText.list(faults), policy));
    }
    return recoveries.isEmpty()
        ? summary(gpu).map(what -> detection(gpu, what, policy))
        : Optional.of(
            detection(gpu, RuleText.list(recoveries), policy).withForm(Disposition.WATCH, MENDING));
  }

  /** The summary field, for faults of newer drivers that the mask cannot express. */
  private static Optional<String> summary(GpuStatus gpu) {
    return switch ((int) gpu.values().get(DcgmMetrics.FABRIC_HEALTH_SUMMARY).orElse(0)) {
      case UNHEALTHY -> Optional.of("the driver reports it as unhealthy");
      case LIMITED -> Optional.of("its capacity is limited");
      default -> Optional.empty();
    };
  }

  private static Detection detection(GpuStatus gpu, String what, RulePolicy policy) {
    return policy.detection(
        gpu.subject(),
        "NVLink fabric: " + what,
        DcgmMetrics.FABRIC_HEALTH_MASK,
        DcgmMetrics.FABRIC_HEALTH_SUMMARY);
  }
}
