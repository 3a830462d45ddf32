package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.More;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The platform of Slurm's nodes. Some platforms replace our reason by their own while they repair a
 * node, and slurmctld does so when a node registers with less than its configuration has. Therefore
 * our reason is also put before the node's comment, and a node with both is still ours: it is shown
 * with our reason first.
 */
public enum SlurmPlatform {
  /** Slurm alone, or AWS PCS. */
  SLURM("(?!)"),

  /** What clustermgtd writes while it replaces a node. */
  PARALLEL_CLUSTER("Static node maintenance: .*|\\(Code:.*"),

  /** The exact words that HyperPod acts on; Slurm adds {@code " : Not responding"}. */
  HYPERPOD("Action:(?:Replace|Reboot)(?: : .*)?");

  /** From 23.11 on: of a node whose GPU is lost, after a reboot or a restart of its slurmd. */
  private static final Pattern REGISTERED_WITH_LESS =
      Pattern.compile(
          "(?:gres/\\S+ count reported lower than configured"
              + "|Low (?:RealMemory|TmpDisk|CPUs|socket\\*core(?:\\*thread)? count)\\b).*",
          Pattern.DOTALL);

  /**
   * The user of slurmctld, unless {@code SlurmUser} is set; a person may write texts like its own.
   */
  static final Set<String> SLURMCTLD = Set.of("slurm", "root");

  private final Pattern reasons;

  SlurmPlatform(String reasons) {
    this.reasons = Pattern.compile(reasons, Pattern.DOTALL);
  }

  /** As the controller sees it; of an unknown NVLink domain. */
  NodeState state(SlurmNode node) {
    return state(node, "");
  }

  /** As the controller sees it. */
  NodeState state(SlurmNode node, String nvlinkDomain) {
    return new NodeState(
        node.name(),
        node.state().service(),
        reason(node),
        node.reasonBy(),
        node.partitions(),
        node.state().registered(),
        node.instanceId(),
        node.booted(),
        node.gpus(),
        new More(
            node.features(),
            nvlinkDomain,
            node.instanceType(),
            heldBy(node.state()),
            mayAct(node),
            node.gone()));
  }

  /** Who works on the node, so that nothing may be done to it now. */
  private static String heldBy(SlurmState state) {
    if (state.is("MAINTENANCE")) {
      return "a maintenance reservation of Slurm";
    }
    // A drain of such a node ends the job: slurmctld requeues it.
    return state.startsForJob() ? "Slurm's power-up for a job" : "";
  }

  /** Other programs that act on the node by themselves. */
  private List<String> mayAct(SlurmNode node) {
    return switch (this) {
      case SLURM ->
          node.state().is("CLOUD")
              ? List.of(
                  "Slurm powers the node down when it is idle for SuspendTime, where that is set")
              : List.of();
      case PARALLEL_CLUSTER ->
          List.of("ParallelCluster's clustermgtd replaces the node when it is drained and idle");
      case HYPERPOD ->
          List.of(
              "HyperPod replaces or reboots the node after its own health checks, where its node"
                  + " recovery is automatic");
    };
  }

  /** Whether the platform is at work on the node, by its own or by our will. */
  boolean working(SlurmNode node) {
    return reasons.matcher(node.reason()).matches();
  }

  /**
   * Whether nothing may be done to the node: the platform is at work on it, and the node was not
   * booted since. To change its state meanwhile can make a replacement fail.
   */
  boolean handsOff(SlurmNode node) {
    boolean back =
        node.state().registered()
            && Stamp.of(node.comment())
                .flatMap(stamp -> node.booted().filter(stamp.since()::isBefore))
                .isPresent();
    return working(node) && !back;
  }

  private static boolean registeredWithLess(SlurmNode node) {
    return node.bySlurm() && hasWordsOfSlurm(node);
  }

  /** Whether the reason is one of slurmctld's own, if slurmctld wrote it. */
  static boolean hasWordsOfSlurm(SlurmNode node) {
    return REGISTERED_WITH_LESS.matcher(node.reason()).matches();
  }

  private String reason(SlurmNode node) {
    Optional<Stamp> stamp = Stamp.of(node.comment());
    if (node.reason().isEmpty() && node.state().powersDown()) {
      // slurmctld removes the reason with a reboot that it cancels for this.
      return stamp.map(Stamp::reason).orElse("");
    }
    return stamp
        .filter(one -> working(node) || registeredWithLess(node))
        .map(one -> one.reason() + " : " + node.reason())
        .orElse(node.reason());
  }
}
