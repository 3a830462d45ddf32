package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.Repairs.Repair;
import io.lapwing.drain.policy.LadderPolicy;
import io.lapwing.drain.remediation.Move.Do;
import java.util.Optional;

/** Carries out decisions that are in the journal. */
final class Commands {

  private final Ports ports;
  private final LadderPolicy policy;

  Commands(Ports ports, LadderPolicy policy) {
    this.ports = ports;
    this.policy = policy;
  }

  CommandResult carryOut(Do what, ClusterIndex cluster) {
    Remediation state = what.state();
    return switch (what.command()) {
      case DRAIN -> ports.scheduler().drain(state.node(), state.reason());
      case END_JOB -> ports.jobs().end(what.job().orElseThrow(), state.node(), state.reason());
      case RELEASE -> ports.release().release(state.node(), policy.releaseFor());
      case REPAIR ->
          ports
              .repairs()
              .begin(
                  new Repair(
                      state.remedy(),
                      cluster.node(state.node()).orElseThrow(),
                      state.reason(),
                      state.rule(),
                      state.lastAttempt().map(Attempt::instanceId).orElse("")));
      case EVICT -> ports.scheduler().evictOthers(state.node(), state.since());
      case END_RELEASE -> ports.release().end(state.node());
      case RESUME -> ports.scheduler().resume(state.node(), state.reason());
      case LET_GO -> ports.scheduler().letGo(state.node(), state.reason());
    };
  }

  /**
   * Why a repair may not begin after all; empty if it may. Others may have changed the node since
   * the view on which it was decided.
   *
   * @param cluster as it is now
   */
  static Optional<String> notReady(Remediation state, ClusterIndex cluster) {
    return cluster.jobsOn(state.node()).isEmpty()
        ? notOurs(state, cluster)
        : Optional.of("a job runs on it again");
  }

  /** Why a job on the node may not be ended after all; empty if it may. */
  static Optional<String> notOurs(Remediation state, ClusterIndex cluster) {
    return cluster.node(state.node()).filter(node -> node.heldFor(state.reason())).isPresent()
        ? Optional.empty()
        : Optional.of("another user has changed the node");
  }

  /** In words for the journal; a repair does not depend on it. */
  String saveEvidence(Remediation state) {
    EvidenceStore.Result result = ports.evidence().save(state);
    return result instanceof EvidenceStore.Saved saved
        ? "evidence saved: " + saved.where()
        : "evidence not saved: " + ((EvidenceStore.NotSaved) result).why();
  }
}
