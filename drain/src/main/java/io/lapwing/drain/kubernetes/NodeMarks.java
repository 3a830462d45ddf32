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
 * How a node is held: a cordon, a taint of our own, so that an uncordon by somebody else brings no
 * work back, and annotations with the reason and with what has to be undone. Karpenter and the
 * Cluster Autoscaler leave such a node alone.
 */
final class NodeMarks {

  static final String TAINT = "lapwing.io/drain";
  static final String REASON = "lapwing.io/drain-reason";

  /** What was not there before, and goes again. */
  private static final String UNDO = "lapwing.io/drain-undo";

  private static final String CORDON = "cordon";

  /** By which others are told to leave the node alone; Slinky copies the reason to Slurm. */
  private static final Map<String, String> TO_OTHERS =
      Map.of(
          "karpenter.sh/do-not-disrupt", "true",
          "cluster-autoscaler.kubernetes.io/scale-down-disabled", "true");

  private static final String SLINKY_REASON = "nodeset.slinky.slurm.net/node-cordon-reason";

  private NodeMarks() {}

  /** Our reason; empty if we do not hold the node. */
  static Optional<String> reason(Node node) {
    return Optional.ofNullable(annotations(node).get(REASON))
        .filter(any -> taints(node).stream().anyMatch(NodeMarks::isOurs));
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
  static Node taken(Node node, String reason) {
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

  /** The node as it was read, without what the taking added. */
  static Node released(Node node) {
    Map<String, String> annotations = new LinkedHashMap<>(annotations(node));
    List<String> undo = List.of(annotations.getOrDefault(UNDO, "").split(","));
    annotations.keySet().removeAll(undo);
    annotations.keySet().removeAll(List.of(REASON, UNDO));
    return new NodeBuilder(node)
        .editMetadata()
        .withAnnotations(annotations)
        .endMetadata()
        .editSpec()
        .withUnschedulable(undo.contains(CORDON) ? null : node.getSpec().getUnschedulable())
        .withTaints(foreignTaints(node))
        .endSpec()
        .build();
  }

  private static List<Taint> foreignTaints(Node node) {
    return taints(node).stream().filter(taint -> !isOurs(taint)).toList();
  }
}
