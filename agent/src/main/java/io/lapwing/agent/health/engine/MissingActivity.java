package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.gpu.HostEngineMetrics;
import io.lapwing.metric.Metric;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Why GPUs without GPM have no activity counters, listed beside the rules that have no data. */
final class MissingActivity {

  static final List<Metric> NEEDS = List.of(HostEngineMetrics.ACTIVITY_INFO);

  /** The collector of the counters. */
  static final String NAME = "gpu_profiling";

  private static final String NONE = "none";

  private static final Map<String, String> WORDS =
      Map.of(
          "dcgm_off", "which is off (--dcgm.engine)",
          "no_host_engine", "and no host engine of DCGM runs on this node",
          "library_not_found", "and its library is not installed",
          "paused", "whose profiling another program has paused",
          "profiling_not_supported", "which does not support it on this node",
          "no_data", "which has no values yet",
          "stale", "which has no new values");

  private MissingActivity() {}

  /** Empty where all GPUs have them. */
  static Optional<String> why(NodeSnapshot view) {
    Map<String, Integer> gpus = new TreeMap<>();
    for (GpuStatus gpu : view.gpus()) {
      gpu.values().all(HostEngineMetrics.ACTIVITY_INFO).keySet().stream()
          .filter(source -> source.size() == 2 && source.get(0).equals(NONE))
          .forEach(source -> gpus.merge(source.get(1), 1, Integer::sum));
    }
    return gpus.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(most -> sentence(most.getKey(), gpus.values().stream().mapToInt(n -> n).sum()));
  }

  private static String sentence(String reason, int gpus) {
    return (gpus == 1 ? "1 GPU has" : gpus + " GPUs have")
        + " no GPM, so that SM, tensor and memory activity (DCGM_FI_PROF_*) needs DCGM, "
        + WORDS.getOrDefault(reason, "which answers " + reason);
  }
}
