package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** GPUs of one model and node with different firmware. */
final class GpuVersionsDiffer implements HealthRule {

  private static final int NAME = 0;

  /** The labels of a GPU's series before those of the family: gpu and UUID. */
  private static final int OWN_LABELS = GpuMetrics.INFO.labels().indexOf("name");

  private static final Map<String, String> VERSIONS =
      new TreeMap<>(Map.of("VBIOS", "vbios_version", "InfoROM image", "inforom_image_version"));

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpu_versions_differ")
        .about("GPUs of one model have different versions of the VBIOS or the InfoROM image.")
        .why(
            "A board was replaced without an update of its firmware; GPUs with different firmware may differ in speed and in faults.")
        .document("NVML, nvmlDeviceGetVbiosVersion, nvmlDeviceGetInforomImageVersion")
        .closeAfter(Duration.ofMinutes(5))
        .needs(GpuMetrics.INFO)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<String> words = new ArrayList<>();
    VERSIONS.forEach(
        (word, label) ->
            byModel(view, GpuMetrics.INFO.labels().indexOf(label) - OWN_LABELS)
                .forEach(
                    (model, versions) -> {
                      if (versions.size() > 1) {
                        words.add(word + " " + words(versions) + " of " + model);
                      }
                    }));
    return words.isEmpty()
        ? List.of()
        : List.of(policy.detection(Subject.NODE, RuleText.list(words), GpuMetrics.INFO));
  }

  /** The GPUs with each version of each model. */
  private static Map<String, Map<String, Set<Integer>>> byModel(NodeSnapshot view, int at) {
    Map<String, Map<String, Set<Integer>>> models = new TreeMap<>();
    for (GpuStatus gpu : view.gpus()) {
      gpu.values()
          .each(
              GpuMetrics.INFO,
              (info, one) -> {
                if (at < info.size() && !info.get(at).isEmpty()) {
                  models
                      .computeIfAbsent(info.get(NAME), unseen -> new TreeMap<>())
                      .computeIfAbsent(info.get(at), unseen -> new TreeSet<>())
                      .add(gpu.index());
                }
              });
    }
    return models;
  }

  /** {@code 96.00.61 (GPUs 0 and 1) and 96.00.74 (GPU 2)}. */
  private static String words(Map<String, Set<Integer>> versions) {
    List<String> words = new ArrayList<>();
    versions.forEach(
        (version, gpus) -> words.add(version + " (" + RuleText.named("GPU", gpus) + ")"));
    return RuleText.list(words);
  }
}
