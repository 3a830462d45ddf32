package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.NodeState;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who runs the nodes of a Slurm. Some platforms write reasons of their own over ours while they
 * repair a node. There, our reason stands before the node's comment as well, and a node with both
 * is still ours: it is shown with our reason first.
 */
public enum SlurmPlatform {
  /** Slurm alone, or AWS PCS. */
  SLURM("(?!)"),

  /** What clustermgtd writes while it replaces a node. */
  PARALLEL_CLUSTER("Static node maintenance: .*|\\(Code:.*"),

  /** The exact words that HyperPod acts on. */
  HYPERPOD("Action:(?:Replace|Reboot)");

  /** {@code lapwing-drain 1798854460-8 | comment of the site}. */
  private static final Pattern STAMPED =
      Pattern.compile("(lapwing-drain [^ |]+)(?: \\| (.*))?", Pattern.DOTALL);

  private final Pattern reasons;

  SlurmPlatform(String reasons) {
    this.reasons = Pattern.compile(reasons, Pattern.DOTALL);
  }

  /** As the controller sees it. */
  NodeState state(SlurmNode node) {
    return new NodeState(
        node.name(),
        node.state().service(),
        reason(node),
        node.reasonBy(),
        node.partitions(),
        node.state().registered(),
        node.instanceId(),
        node.booted(),
        node.gpus());
  }

  /** Whether the platform is at work on the node, by its own or by our will. */
  boolean working(SlurmNode node) {
    return reasons.matcher(node.reason()).matches();
  }

  /** Whether our reason has to stand in the comment as well. */
  boolean stamps() {
    return this != SLURM;
  }

  private String reason(SlurmNode node) {
    Matcher stamped = STAMPED.matcher(node.comment());
    return working(node) && stamped.matches()
        ? stamped.group(1) + ": " + node.reason()
        : node.reason();
  }

  /** The comment with our reason before it. */
  static String stamped(SlurmNode node, String reason) {
    String site = unstamped(node);
    return site.isEmpty() ? reason : reason + " | " + site;
  }

  /** The comment of the site. */
  static String unstamped(SlurmNode node) {
    Matcher stamped = STAMPED.matcher(node.comment());
    if (!stamped.matches()) {
      return node.comment();
    }
    String site = stamped.group(2);
    return site == null ? "" : site;
  }
}
