package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a node is held: a cordon, a taint of the controller, which distinguishes its cordon from
 * another user's, and annotations with the reason and with what the return removes. Karpenter and
 * the Cluster Autoscaler leave such a node alone. A user who removes the cordon or the taint takes
 * over the node.
 */
final class NodeMarks {

  static final String TAINT = "lapwing.io/drain";
  static final String REASON = "lapwing.io/drain-reason";

  /** Set by the taking, and removed by the return. */
  private static final String UNDO = "lapwing.io/drain-undo";

  private static final String CORDON = "cordon";

  /** Marks for other programs, which leave such a node alone; Slinky copies the reason to Slurm. */
  private static final Map<String, String> TO_OTHERS =
      Map.of(
          "karpenter.sh/do-not-disrupt", "true",
          "cluster-autoscaler.kubernetes.io/scale-down-disabled", "true");

  private static final String SLINKY_REASON = "nodeset.slinky.slurm.net/node-cordon-reason";

  private NodeMarks() {}

  /** Our reason; empty if we do not hold the node. */
  static Optional<String> reason(Node node) {
    return written(node).filter(any -> isComplete(node));
  }

  /** Our reason on a node that another user has uncordoned, or whose taint he took away. */
  static Optional<String> leftOver(Node node) {
    return written(node).filter(any -> !isComplete(node));
  }

  /** Our reason, even if other marks of ours are missing. */
  static Optional<String> written(Node node) {
    return Optional.ofNullable(annotations(node).get(REASON));
  }

  private static boolean isComplete(Node node) {
    return isCordoned(node) && taints(node).stream().anyMatch(NodeMarks::isOurs);
  }

  static boolean isCordoned(Node node) {
    return Boolean.TRUE.equals(node.getSpec().getUnschedulable());
  }

  static boolean isOurs(Taint taint) {
    return taint.getKey().equals(TAINT);
  }

  static Map<String, String> annotations(Node node) {
    Map<String, String> all = node.getMetadata().getAnnotations();
    return all == null ? Map.of() : all;
  }

  static List<Taint> taints(Node node) {
    List<Taint> all = node.getSpec().getTaints();
    return all == null ? List.of() : all;
  }

  /** The node as it was read, taken. */
  static Node taken(Node found, String reason) {
    Node node = letGo(found); // Rests of an earlier remediation must not count as another party's.
    Map<String, String> annotations = new LinkedHashMap<>(annotations(node));
    List<String> undo = new ArrayList<>();
    if (!isCordoned(node)) {
      undo.add(CORDON);
    }
    Map<String, String> marks = new LinkedHashMap<>(TO_OTHERS);
    marks.put(SLINKY_REASON, reason);
    marks.forEach(
        (key, value) -> {
          if (annotations.putIfAbsent(key, value) == null) {
            undo.add(key);
          }
        });
    annotations.put(REASON, reason);
    annotations.put(UNDO, String.join(",", undo));
    return new NodeBuilder(node)
        .editMetadata()
        .withAnnotations(annotations)
        .endMetadata()
        .editSpec()
        .withUnschedulable(true)
        .withTaints(foreignTaints(node))
        .addNewTaint("NoSchedule", TAINT, null, null)
        .endSpec()
        .build();
  }

  /** The node as it was read, without the marks of the taking. */
  static Node released(Node node) {
    boolean cordonIsOurs = undo(node).contains(CORDON);
    return new NodeBuilder(letGo(node))
        .editSpec()
        .withUnschedulable(cordonIsOurs ? null : node.getSpec().getUnschedulable())
        .endSpec()
        .build();
  }

  /** The node as it was read, without our taint and annotations; its cordon is another user's. */
  static Node letGo(Node node) {
    Map<String, String> annotations = new LinkedHashMap<>(annotations(node));
    annotations.keySet().removeAll(undo(node));
    annotations.keySet().removeAll(List.of(REASON, UNDO));
    return new NodeBuilder(node)
        .editMetadata()
        .withAnnotations(annotations)
        .endMetadata()
        .editSpec()
        .withTaints(foreignTaints(node))
        .endSpec()
        .build();
  }

  private static List<String> undo(Node node) {
    return List.of(annotations(node).getOrDefault(UNDO, "").split(","));
  }

  private static List<Taint> foreignTaints(Node node) {
    return taints(node).stream().filter(taint -> !isOurs(taint)).toList();
  }
}
