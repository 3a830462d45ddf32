package io.lapwing.drain.remediation;

import io.lapwing.common.text.PlainText;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.jobs.CheckpointFacts;
import io.lapwing.drain.jobs.Timing;
import io.lapwing.drain.jobs.WaitRule;
import io.lapwing.drain.jobs.WaitRule.Wait;
import io.lapwing.drain.policy.WaitPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** When a job of a drained node may be ended, in view of all remediations: it is one unit. */
final class JobTurns {

  /** Longer than schedulers and programs take to end. */
  private static final Duration LEAVES = Duration.ofMinutes(10);

  /** A job of Kubernetes that runs each week has the same name each time. */
  private static final Duration REMEMBERED = Duration.ofDays(6);

  private final WaitPolicy policy;
  private final CheckpointFacts facts;
  private final WaitRule rule;
  private final Map<NodeName, Remediation> open;

  private final Map<String, Ended> endedJobs = new HashMap<>();

  /** By job. */
  private final Map<String, Refusal> refused = new HashMap<>();

  /**
   * That the end of a job was refused.
   *
   * @param until when it is not tried again
   */
  private record Refusal(String why, Instant until) {}

  /**
   * That a job was ended.
   *
   * @param by remediations, and when by each
   */
  private record Ended(Map<String, List<Instant>> by) {
    private static final Ended NEVER = new Ended(Map.of());

    private Stream<Instant> times() {
      return by.values().stream().flatMap(List::stream);
    }

    Instant last() {
      return times().max(Comparator.naturalOrder()).orElse(Instant.MIN);
    }

    long since(Instant begin) {
      return times().filter(at -> at.isAfter(begin)).count();
    }

    Ended again(String id, Instant at) {
      Map<String, List<Instant>> all = new HashMap<>(by);
      all.merge(
          id, List.of(at), (one, other) -> Stream.concat(one.stream(), other.stream()).toList());
      return new Ended(all);
    }

    Ended without(String id) {
      Map<String, List<Instant>> all = new HashMap<>(by);
      all.remove(id);
      return new Ended(all);
    }
  }

  /**
   * @param open the open remediations, which change
   */
  JobTurns(WaitPolicy policy, CheckpointFacts facts, Map<NodeName, Remediation> open) {
    this.policy = policy;
    this.facts = facts;
    this.rule = new WaitRule(policy);
    this.open = open;
  }

  /**
   * The last entry of a remediation counts: it no longer has a job that was not ended after all.
   */
  void remember(Remediation state) {
    endedJobs.replaceAll((job, ended) -> ended.without(state.id()));
    for (EndedJob one : state.endedJobs()) {
      Ended before = endedJobs.getOrDefault(one.job(), Ended.NEVER);
      endedJobs.put(one.job(), before.again(state.id(), one.at()));
    }
  }

  /** The scheduler refuses to end it: not tried again before that time. */
  void refused(Job job, String why, Instant until) {
    refused.put(job.id(), new Refusal(why, until));
  }

  boolean isRefused(Job job, Instant now) {
    return refusal(job, now).isPresent();
  }

  private Optional<Refusal> refusal(Job job, Instant now) {
    refused.values().removeIf(one -> !now.isBefore(one.until()));
    return Optional.ofNullable(refused.get(job.id()));
  }

  /** Copies the state of another one that is not in the journal. */
  void after(JobTurns before) {
    refused.putAll(before.refused);
  }

  /**
   * When it may be ended.
   *
   * @param urgency of the request and the agent
   * @param rules that the node is out of service for
   */
  Timing timing(Remediation remediation, Urgency urgency, Set<String> rules, Job job, Instant now) {
    Instant since = remediation.taken().orElse(remediation.since());
    return rule.decide(new Wait(urgency, rules, facts.of(job), since, now));
  }

  /** Whether a job that was ended does not leave. It may never have been: that is not repeated. */
  boolean stuck(Remediation remediation, Job job, Instant now) {
    Ended ended = endedJobs.getOrDefault(job.id(), Ended.NEVER);
    return sameRun(remediation, ended) && !now.isBefore(ended.last().plus(LEAVES));
  }

  /** A job cannot have started on a node since that was drained. */
  private static boolean sameRun(Remediation remediation, Ended ended) {
    return !ended.last().isBefore(remediation.taken().orElse(Instant.MAX));
  }

  /** Why a job that should end may not yet; empty if it may. */
  Optional<String> notYet(Remediation remediation, Job job, Instant now) {
    Optional<Refusal> refusal = refusal(job, now);
    if (refusal.isPresent()) {
      return refusal.map(one -> "refused: " + one.why() + "; tried again at " + one.until());
    }
    Ended ended = endedJobs.getOrDefault(job.id(), Ended.NEVER);
    if (sameRun(remediation, ended) || now.isBefore(ended.last().plus(LEAVES))) {
      return Optional.of("it was ended at " + ended.last() + " and has not left yet");
    }
    long times = ended.since(now.minus(REMEMBERED));
    if (times >= policy.restarts()) {
      return Optional.of(
          "it was ended " + PlainText.count(times, "time") + " already (wait.restarts)");
    }
    if (!now.isBefore(remediation.since().plus(policy.gangWithin()))) {
      return Optional.empty();
    }
    List<String> others =
        siblings(job)
            .filter(other -> !other.phase().holdsNode())
            .map(other -> other.node().text())
            .sorted()
            .toList();
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of("it is ended once for all of its nodes, and " + others + " is still taken");
  }

  private Stream<Remediation> siblings(Job job) {
    return job.nodes().stream().flatMap(node -> Optional.ofNullable(open.get(node)).stream());
  }
}
