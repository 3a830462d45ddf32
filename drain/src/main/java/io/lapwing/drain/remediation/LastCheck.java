package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.Scheduler.View;
import io.lapwing.drain.health.HealthReader.Answer;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.SecondOpinion.Failing;
import io.lapwing.drain.remediation.SecondOpinion.Healthy;
import io.lapwing.drain.remediation.SecondOpinion.Uncertain;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Checks a decision again just before it is carried out: a round may last for minutes, and jobs
 * begin and end meanwhile.
 */
final class LastCheck {

  /** The cluster is read again before a drain if the view of the round is older. */
  private static final Duration RECENT = Duration.ofMillis(500);

  private final Policy policy;
  private final Ports ports;
  private final Objections objections;

  /** Goes on during a round. */
  private InstantSource clock = () -> Instant.MIN;

  /** Whether no job can be missing in the view of the round. */
  private boolean complete;

  LastCheck(Policy policy, Ports ports, Objections objections) {
    this.policy = policy;
    this.ports = ports;
    this.objections = objections;
  }

  /** A round begins with this view. */
  void begin(InstantSource clock, View view) {
    this.clock = clock;
    this.complete = view.complete();
  }

  /** Why a decision is not carried out after all; empty if it is. */
  Optional<String> against(Do what, Remediation remediation, Situation in) {
    return switch (what.command()) {
      case DRAIN, END_JOB, EVICT, REPAIR -> stopped(what, remediation, in);
      case RESUME -> notHealthy(remediation.node(), in);
      case RELEASE, END_RELEASE, LET_GO -> Optional.empty();
    };
  }

  /** The view of the round may have missed a job that began before the drain. */
  boolean isIdle(NodeName node, ClusterIndex cluster) {
    return recent(cluster).filter(now -> now.jobsOn(node).isEmpty()).isPresent();
  }

  /**
   * Why a node is not returned after all. All agents were queried at the beginning of the round; if
   * the nodes before it took minutes, its own is queried again.
   */
  private Optional<String> notHealthy(NodeName name, Situation in) {
    if (expired(in, clock.instant()).isEmpty()) {
      return Optional.empty();
    }
    SecondOpinion opinion = SecondOpinion.of(ports.agents().ask(name), clock.instant(), policy);
    if (opinion instanceof Failing failing) {
      return Optional.of("it fails again: " + Step.words(failing.health()));
    }
    return opinion instanceof Healthy healthy
        ? in.cluster().node(name).flatMap(node -> Gate.closed(node, healthy.health(), policy))
        : Optional.of(((Uncertain) opinion).why());
  }

  /** Why a decision may not be carried out after all; empty if it may. */
  private Optional<String> stopped(Do what, Remediation remediation, Situation in) {
    boolean repairs = what.command() == Command.REPAIR || what.command() == Command.EVICT;
    Optional<ClusterIndex> meanwhile = repairs ? fresh() : recent(in.cluster());
    if (meanwhile.isEmpty()) {
      return Optional.of("the scheduler does not answer");
    }
    ClusterIndex fresh = meanwhile.get();
    if (fresh.node(remediation.node()).isEmpty()) {
      return Optional.of("the scheduler does not list the node");
    }
    Instant now = clock.instant();
    if (what.job().filter(job -> !runsOn(fresh, remediation.node(), job)).isPresent()) {
      return Optional.of("the job has left the node");
    }
    Optional<String> changed =
        switch (what.command()) {
          case REPAIR, EVICT -> Commands.notReady(remediation, fresh);
          case END_JOB -> Commands.notOurs(remediation, fresh);
          default -> Optional.empty();
        };
    return changed
        .or(() -> Step.words(objections.against(verb(what), remediation, fresh, now)))
        .or(() -> expired(in, now));
  }

  /** Why the verdict on which it was decided permits nothing any longer; empty if it does. */
  private Optional<String> expired(Situation in, Instant now) {
    Answer answer = in.health().get();
    return !(SecondOpinion.of(answer, in.now(), policy) instanceof Uncertain)
            && SecondOpinion.of(answer, now, policy) instanceof Uncertain old
        ? Optional.of(old.why())
        : Optional.empty();
  }

  /** The current cluster; empty if the scheduler does not answer. A round may last for seconds. */
  private Optional<ClusterIndex> recent(ClusterIndex cluster) {
    boolean recent = !clock.instant().isAfter(cluster.view().at().plus(RECENT));
    return complete && recent ? Optional.of(cluster) : fresh();
  }

  private Optional<ClusterIndex> fresh() {
    return ports.scheduler().view() instanceof View view
        ? Optional.of(new ClusterIndex(view.cluster()))
        : Optional.empty();
  }

  private static boolean runsOn(ClusterIndex cluster, NodeName node, Job job) {
    return cluster.jobsOn(node).stream().anyMatch(one -> one.id().equals(job.id()));
  }

  private static Verb verb(Do what) {
    return switch (what.command()) {
      case DRAIN -> Verb.DRAIN;
      case END_JOB -> Verb.END_JOB;
      case EVICT, REPAIR, RELEASE, END_RELEASE, RESUME, LET_GO -> Verb.of(what.state().remedy());
    };
  }
}
