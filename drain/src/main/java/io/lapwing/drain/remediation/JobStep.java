package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.jobs.Timing;
import io.lapwing.drain.jobs.Timing.EndNow;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.Move.Stay;
import io.lapwing.drain.remediation.Move.Would;
import io.lapwing.drain.remediation.SecondOpinion.Failing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * From a node out of service to one without jobs. The drain itself ends no job: to act now means
 * that no new work starts. A job is ended only where the policy permits that too.
 */
final class JobStep extends Step {

  private static final String WOULD = "would end it";

  JobStep(Remediation now, Situation in, NodeState node) {
    super(now, in, node);
  }

  @Override
  Move move() {
    Remediation observed = observed();
    if (wellFor(observed)) {
      return giveBack(observed);
    }
    List<Job> jobs = in.cluster().jobsOn(now.node());
    if (jobs.isEmpty()) {
      return go(Phase.DRAINED, "no job is left");
    }
    List<String> waits = new ArrayList<>();
    Optional<Would> would = Optional.empty();
    for (Job job : jobs) {
      Timing timing = in.jobs().timing(now, in.urgency(now), in.rules(now), job, in.now());
      String why = "job " + job.id() + ": " + timing.why();
      Optional<String> not = timing instanceof EndNow ? notEnded(job) : Optional.of("waiting");
      if (not.isEmpty()) {
        return new Do(
            Command.END_JOB,
            "end " + why,
            now.jobEnded(new EndedJob(job.id(), in.now())),
            Optional.of(job));
      }
      if (not.get().equals(WOULD) && would.isEmpty()) {
        would = Optional.of(new Would("end job " + job.id(), timing.why()));
      }
      waits.add(why + "; " + not.get());
    }
    boolean late =
        passed(now.since(), in.policy().jobsLeaveWithin())
            || jobs.stream()
                .anyMatch(
                    job ->
                        in.jobs().stuck(now, job, in.now()) || in.jobs().isRefused(job, in.now()));
    String text = String.join("; ", waits);
    return new Stay(late ? "overdue: " + text : text, observed, late, would);
  }

  /** Why a job that should end is not ended; empty if it is to be. */
  private Optional<String> notEnded(Job job) {
    Mode mode = in.policy().mode(Verb.END_JOB);
    Optional<String> against = in.jobs().notYet(now, job, in.now()).or(() -> against(Verb.END_JOB));
    if (against.isPresent()) {
      return against;
    }
    if (!(opinion() instanceof Failing)) {
      return Optional.of("the agent does not say that the node needs it");
    }
    return mode == Mode.ACT
        ? Optional.empty()
        : Optional.of(mode == Mode.DRY_RUN ? WOULD : "observed");
  }
}
