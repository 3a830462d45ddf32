package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import java.util.Map;
import java.util.Set;

/** Other programs that work on a node, by their marks; the controller leaves such a node alone. */
final class OtherActors {

  private static final Map<String, String> BY_TAINT =
      Map.of(
          "karpenter.sh/disrupted", "Karpenter",
          "karpenter.sh/disruption", "Karpenter",
          "ToBeDeletedByClusterAutoscaler", "the Cluster Autoscaler",
          "node.kubernetes.io/out-of-service", "whoever marked the node as out of service");

  private static final Map<String, String> BY_ANNOTATION =
      Map.of(
          "karpenter.sh/nodeclaim-termination-timestamp", "Karpenter",
          "weave.works/kured-reboot-in-progress", "kured");

  private static final String HYPERPOD = "sagemaker.amazonaws.com/node-health-status";
  private static final Set<String> HYPERPOD_AT_WORK =
      Set.of("Unschedulable", "UnschedulablePendingReplacement", "UnschedulablePendingReboot");

  private static final Set<String> NVSENTINEL =
      Set.of("dgxc.nvidia.com/nvsentinel-state", "k8saas.nvidia.com/cordon-by");

  private OtherActors() {}

  /** The program that acts on the node, such as {@code Karpenter}; empty without one. */
  static String of(Node node, Map<String, String> labels) {
    if (node.getMetadata().getDeletionTimestamp() != null) {
      return "whoever deletes the node";
    }
    if (HYPERPOD_AT_WORK.contains(labels.getOrDefault(HYPERPOD, ""))) {
      return "HyperPod (" + labels.get(HYPERPOD) + ")";
    }
    Map<String, String> annotations = NodeMarks.annotations(node);
    if (NVSENTINEL.stream()
        .anyMatch(key -> labels.containsKey(key) || annotations.containsKey(key))) {
      return "NVSentinel";
    }
    return NodeMarks.taints(node).stream()
        .map(taint -> BY_TAINT.getOrDefault(taint.getKey(), ""))
        .filter(name -> !name.isEmpty())
        .findFirst()
        .or(
            () ->
                BY_ANNOTATION.entrySet().stream()
                    .filter(one -> annotations.containsKey(one.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst())
        .orElse("");
  }
}
