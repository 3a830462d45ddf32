package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Taints by which people or programs keep work off a node: they hold it, as one that they cordoned.
 *
 * @param permanent keys of taints that nodes of the site always have
 */
record ForeignTaints(Set<String> permanent) {

  private static final Set<String> EFFECTS = Set.of("NoSchedule", "NoExecute");

  /**
   * Of devices and roles, which nodes always have; of the kubelet and of the cloud, for states that
   * the controller reads, too; of plugins that start; and of Slinky, whose nodes take work from
   * Slurm only.
   */
  private static final Pattern OF_NODES =
      Pattern.compile(
          "nvidia\\.com/gpu|gpu|accelerator|aws\\.amazon\\.com/neuron|vpc\\.amazonaws\\.com/efa"
              + "|node-role\\.kubernetes\\.io/.*"
              + "|node\\.kubernetes\\.io/.*|node\\.cloudprovider\\.kubernetes\\.io/.*"
              + "|karpenter\\.sh/unregistered|.*/agent-not-ready"
              + "|(?:.*\\.)?slinky\\.slurm\\.net/.*");

  ForeignTaints {
    permanent = Set.copyOf(permanent);
  }

  /** {@code maintenance=kim:NoSchedule}; empty if there is none. */
  Optional<String> of(Node node) {
    return NodeMarks.taints(node).stream().filter(this::holds).map(ForeignTaints::text).findFirst();
  }

  private boolean holds(Taint taint) {
    return EFFECTS.contains(taint.getEffect())
        && !NodeMarks.isOurs(taint)
        && !permanent.contains(taint.getKey())
        && !OF_NODES.matcher(taint.getKey()).matches();
  }

  private static String text(Taint taint) {
    String value = taint.getValue() == null ? "" : "=" + taint.getValue();
    return taint.getKey() + value + ":" + taint.getEffect();
  }
}
