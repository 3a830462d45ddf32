package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import io.fabric8.kubernetes.api.model.Quantity;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.More;
import io.lapwing.drain.cluster.NodeState.Service;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A node with GPUs, as the API server shows it. */
final class NodeReading {

  private static final Pattern HYPERPOD_INSTANCE = Pattern.compile("hyperpod-.*-(i-[0-9a-f]+)");

  static final String GPU = "nvidia.com/gpu";
  private static final String GPU_PRESENT = "nvidia.com/gpu.present";
  private static final String TYPE = "node.kubernetes.io/instance-type";

  /** Instance types of AWS with NVIDIA GPUs, also where no plugin has found them yet. */
  private static final Pattern GPU_TYPE =
      Pattern.compile("(?:ml\\.)?(?!g4ad)(?:p[3-9]|g[4-9])[a-z0-9-]*\\..*");

  /** Labels that name the group of a node, of EKS, Karpenter and HyperPod. */
  private static final List<String> GROUPS =
      List.of(
          "eks.amazonaws.com/nodegroup",
          "karpenter.sh/nodepool",
          "sagemaker.amazonaws.com/instance-group-name",
          "alpha.eksctl.io/nodegroup-name");

  /** Of GPU Feature Discovery: the cluster UUID and the clique of the fabric. */
  private static final String CLIQUE = "nvidia.com/gpu.clique";

  private NodeReading() {}

  /** Whether it has GPUs, or should have: a node without its device plugin counts, too. */
  static boolean hasGpus(Node node) {
    Map<String, String> labels = labels(node);
    return capacity(node).containsKey(GPU)
        || labels.getOrDefault(GPU_PRESENT, "").equals("true")
        || GPU_TYPE.matcher(labels.getOrDefault(TYPE, "")).matches();
  }

  /** Empty if its name is not valid. */
  static Optional<NodeState> of(Node node, ForeignTaints taints) {
    return NodeName.parse(node.getMetadata().getName()).map(name -> of(name, node, taints));
  }

  private static NodeState of(NodeName name, Node node, ForeignTaints taints) {
    Map<String, String> labels = labels(node);
    String heldBy = OtherActors.of(node, labels);
    Optional<String> ours = NodeMarks.reason(node);
    Optional<String> foreign = foreign(node, taints);
    return new NodeState(
        name,
        service(ours.or(() -> foreign), ours.isPresent() ? "" : heldBy),
        ours.orElse(heldBy.isEmpty() ? foreign.orElse("") : "taken by " + heldBy),
        "",
        groups(labels),
        isReady(node),
        instanceId(node),
        Optional.empty(),
        gpus(capacity(node)),
        new More(
            features(labels),
            labels.getOrDefault(CLIQUE, ""),
            labels.getOrDefault(TYPE, "").replaceFirst("^ml\\.", ""),
            "",
            heldBy,
            bootId(node),
            NodeMarks.leftOver(node).orElse(""),
            PlatformRepairs.of(node, labels),
            node.getMetadata().getUid() == null ? "" : node.getMetadata().getUid(),
            false));
  }

  /** As the kubelet read it from the kernel when it started. */
  private static String bootId(Node node) {
    NodeSystemInfo info = node.getStatus() == null ? null : node.getStatus().getNodeInfo();
    return info == null || info.getBootID() == null ? "" : info.getBootID();
  }

  private static Service service(Optional<String> reason, String heldBy) {
    if (!heldBy.isEmpty()) {
      return Service.OUT;
    }
    return reason.isPresent() ? Service.DRAINED : Service.IN_SERVICE;
  }

  /** Marks by which a person or an unknown program keeps work off the node. */
  private static Optional<String> foreign(Node node, ForeignTaints taints) {
    return NodeMarks.isCordoned(node)
        ? Optional.of("cordoned")
        : taints.of(node).map(taint -> "tainted " + taint + "; see kubernetes.permanent-taints");
  }

  /** 0 if unknown. */
  static int gpus(Map<String, Quantity> resources) {
    Quantity gpus = resources.get(GPU);
    return gpus != null && gpus.getAmount().matches("[0-9]{1,4}")
        ? Integer.parseInt(gpus.getAmount())
        : 0;
  }

  private static Map<String, Quantity> capacity(Node node) {
    Map<String, Quantity> all = node.getStatus() == null ? null : node.getStatus().getCapacity();
    return all == null ? Map.of() : all;
  }

  static Map<String, String> labels(Node node) {
    Map<String, String> all = node.getMetadata().getLabels();
    return all == null ? Map.of() : all;
  }

  static Set<String> groups(Map<String, String> labels) {
    return GROUPS.stream()
        .map(labels::get)
        .filter(Objects::nonNull)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** {@code key=value}, and the key alone where the value is true or empty. */
  private static Set<String> features(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(
            label ->
                label.getValue() == null || label.getValue().matches("true|")
                    ? label.getKey()
                    : label.getKey() + "=" + label.getValue())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean isReady(Node node) {
    return conditions(node).stream()
        .anyMatch(one -> one.getType().equals("Ready") && one.getStatus().equals("True"));
  }

  static List<NodeCondition> conditions(Node node) {
    List<NodeCondition> all = node.getStatus() == null ? null : node.getStatus().getConditions();
    return all == null ? List.of() : all;
  }

  /** Of {@code aws:///us-east-1a/i-0123456789abcdef0}. */
  /**
   * Of {@code aws:///us-west-2b/i-0abc} or HyperPod's {@code .../cluster/hyperpod-CLUSTER-i-0abc}.
   */
  private static String instanceId(Node node) {
    String provider = Objects.requireNonNullElse(node.getSpec().getProviderID(), "");
    String last = provider.substring(provider.lastIndexOf('/') + 1);
    Matcher hyperPod = HYPERPOD_INSTANCE.matcher(last);
    return hyperPod.matches() ? hyperPod.group(1) : last;
  }
}
