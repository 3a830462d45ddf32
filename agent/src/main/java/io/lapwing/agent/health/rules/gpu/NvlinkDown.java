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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** NVLinks that should be up and are down. */
final class NvlinkDown implements GpuRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("nvlink_down")
        .about("NVLinks of a GPU are down.")
        .why(
            "A reset of the GPU trains the link again; until then its share of the bandwidth is missing, and a job that needs all links does not start.")
        .document("NVML, field 165; NVIDIA XID catalogue, 74; DCGM health check of NVLink")
        .disposition(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END))
        .escalates()
        .openAfter(Duration.ofSeconds(10))
        .closeAfter(Duration.ofMinutes(2))
        .needs(GpuMetrics.NVLINKS_UP)
        .reads(GpuMetrics.NVLINKS, GpuMetrics.NVLINK_UP, DcgmMetrics.MIG_MODE)
        .build();
  }

  /** Not of a GPU in MIG mode: the driver may disable its links then, and no instance uses them. */
  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    if (gpu.values().isSet(DcgmMetrics.MIG_MODE)) {
      return Optional.empty();
    }
    OptionalDouble up = gpu.values().get(GpuMetrics.NVLINKS_UP);
    double expected = expected(gpu, view);
    return up.isPresent() && up.getAsDouble() < expected
        ? Optional.of(
            policy.detection(
                gpu.subject(),
                what(gpu, up.getAsDouble(), expected),
                GpuMetrics.NVLINKS_UP,
                GpuMetrics.NVLINK_UP))
        : Optional.empty();
  }

  /**
   * By the instance type, else by the GPU itself if any link of the node is up: a GPU that is
   * rented alone has unconnected links.
   */
  private static double expected(GpuStatus gpu, NodeSnapshot view) {
    if (view.node().expected().isPresent()) {
      return view.node().expected().get().nvlinksPerGpu();
    }
    boolean anyUp =
        GpuRule.answering(view).stream()
            .anyMatch(other -> other.values().isSet(GpuMetrics.NVLINKS_UP));
    return anyUp ? gpu.values().get(GpuMetrics.NVLINKS).orElse(0) : 0;
  }

  private static String what(GpuStatus gpu, double up, double expected) {
    double missing = expected - up;
    List<Integer> down = down(gpu);
    return RuleText.number(missing)
        + " of "
        + RuleText.count(expected, "NVLink")
        + (missing == 1 ? " is down" : " are down")
        + (down.isEmpty() || down.size() == expected
            ? ""
            : " (" + RuleText.named("link", down) + ")");
  }

  private static List<Integer> down(GpuStatus gpu) {
    return gpu.values().all(GpuMetrics.NVLINK_UP).entrySet().stream()
        .filter(link -> link.getValue() == 0)
        .map(Map.Entry::getKey)
        .map(labels -> Integer.valueOf(labels.get(0)))
        .sorted()
        .toList();
  }
}
