package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** NVLinks that should be up and are down. */
public final class NvlinkDown implements GpuRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "nvlink_down",
          "NVLinks of a GPU are down.",
          "A reset of the GPU trains the link again; until then its share of the bandwidth is missing, and a job that needs all links does not start.",
          "NVML, field 165; NVIDIA XID catalogue, 74; DCGM health check of NVLink",
          Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END),
          Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END),
          Duration.ofSeconds(10),
          Duration.ofMinutes(2),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(GpuMetrics.NVLINKS_UP);
  }

  @Override
  public List<Metric> reads() {
    return List.of(GpuMetrics.NVLINKS, GpuMetrics.NVLINK_UP);
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    OptionalDouble up = gpu.values().get(GpuMetrics.NVLINKS_UP);
    double expected = expected(gpu, view);
    return up.isPresent() && up.getAsDouble() < expected
        ? Optional.of(
            Detection.now(
                SPEC,
                policy,
                gpu.subject(),
                what(gpu, up.getAsDouble(), expected),
                GpuMetrics.NVLINKS_UP.name(),
                GpuMetrics.NVLINK_UP.name()))
        : Optional.empty();
  }

  /**
   * By the instance type; if that is unknown, by the GPU itself, provided that any NVLink of the
   * node is up: the links of a GPU that is rented alone lead nowhere.
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
