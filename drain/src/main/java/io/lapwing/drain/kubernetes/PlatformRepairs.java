package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What other programs may do to a node by themselves, and when, as far as the node shows that they
 * run it. Whether they are permitted to is in their own configuration, which is not read.
 */
final class PlatformRepairs {

  /** How long Karpenter's NodeRepair lets a condition be false (Karpenter 1.14). */
  private static final Map<String, Duration> KARPENTER =
      Map.of(
          "AcceleratedHardwareReady", Duration.ofMinutes(10),
          "Ready", Duration.ofMinutes(30),
          "StorageReady", Duration.ofMinutes(30),
          "NetworkingReady", Duration.ofMinutes(30),
          "KernelReady", Duration.ofMinutes(30),
          "ContainerRuntimeReady", Duration.ofMinutes(30));

  private static final String NODE_POOL = "karpenter.sh/nodepool";
  private static final String NODE_GROUP = "eks.amazonaws.com/nodegroup";
  private static final Set<String> HYPERPOD =
      Set.of(
          "sagemaker.amazonaws.com/node-health-status",
          "sagemaker.amazonaws.com/instance-group-name");
  private static final String NVSENTINEL = "k8saas.nvidia.com/ManagedByNVSentinel";
  private static final String UNNEEDED = "DeletionCandidateOfClusterAutoscaler";
  private static final String KURED = "weave.works/kured-most-recent-reboot-needed";

  private PlatformRepairs() {}

  /** {@code HyperPod replaces or reboots the node ...}, one for each program. */
  static List<String> of(Node node, Map<String, String> labels) {
    List<String> all = new ArrayList<>();
    if (labels.containsKey(NODE_POOL)) {
      all.add("Karpenter deletes the node " + karpenter(node) + ", where its NodeRepair is on");
    }
    if (labels.containsKey(NODE_GROUP)) {
      all.add(
          "EKS replaces or reboots the node"
              + bad(node).map(one -> " (" + words(one) + ")").orElse(" by its conditions")
              + ", where auto repair of its node group is on");
    }
    if (HYPERPOD.stream().anyMatch(labels::containsKey)) {
      all.add(
          "HyperPod replaces or reboots the node after its own health checks, where its node"
              + " recovery is automatic");
    }
    if (!labels.getOrDefault(NVSENTINEL, "false").equals("false")) {
      all.add("NVSentinel cordons, drains and repairs the node after its own health checks");
    }
    if (NodeMarks.taints(node).stream().anyMatch(taint -> taint.getKey().equals(UNNEEDED))) {
      all.add("the Cluster Autoscaler deletes the node, which it calls unneeded");
    }
    if (NodeMarks.annotations(node).containsKey(KURED)) {
      all.add("kured reboots the node when its system asks for it");
    }
    return all;
  }

  private static String karpenter(Node node) {
    return bad(node)
        .filter(one -> due(one).isPresent())
        .map(one -> "from " + due(one).orElseThrow() + " on (" + words(one) + ")")
        .orElse("when a condition of it is false for 10 or 30 minutes");
  }

  /** The condition of which something follows first. */
  private static Optional<NodeCondition> bad(Node node) {
    return NodeReading.conditions(node).stream()
        .filter(one -> KARPENTER.containsKey(one.getType()))
        .filter(PlatformRepairs::isBad)
        .min(Comparator.comparing(one -> due(one).orElse(Instant.MAX)));
  }

  private static boolean isBad(NodeCondition one) {
    return "False".equals(one.getStatus())
        || ("Unknown".equals(one.getStatus()) && one.getType().equals("Ready"));
  }

  private static Optional<Instant> due(NodeCondition one) {
    try {
      return Optional.ofNullable(one.getLastTransitionTime())
          .map(Instant::parse)
          .map(since -> since.plus(KARPENTER.getOrDefault(one.getType(), Duration.ZERO)));
    } catch (DateTimeParseException noTime) {
      return Optional.empty();
    }
  }

  private static String words(NodeCondition one) {
    return one.getType() + " is " + one.getStatus();
  }
}
