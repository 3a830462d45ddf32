package io.lapwing.drain.jobs;

import io.lapwing.common.text.TimeText;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.jobs.Timing.AtCheckpoint;
import io.lapwing.drain.jobs.Timing.AtJobEnd;
import io.lapwing.drain.jobs.Timing.EndNow;
import io.lapwing.drain.policy.WaitPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * When it is cheapest to end a job on a node that is already drained. An end now costs each GPU the
 * work since the last durable checkpoint and a restart. An end at the next checkpoint costs the
 * restart, the slow-down by the faulty node, and the risk that the node fails before. With unknown
 * values it waits for the end of the job.
 */
public final class WaitRule {

  /** A checkpoint is new for a quarter of the interval, and no less than a round may take. */
  private static final int NEW = 4;

  private static final Duration ROUND = Duration.ofMinutes(2);

  private static final double HOUR = Duration.ofHours(1).toSeconds();

  private final WaitPolicy policy;

  public WaitRule(WaitPolicy policy) {
    this.policy = policy;
  }

  /**
   * A job that is waited for.
   *
   * @param rules that the node is out of service for; empty if a person asked
   * @param since when the node was drained
   */
  public record Wait(
      Urgency urgency, Set<String> rules, JobProgress progress, Instant since, Instant now) {}

  /** The decision at this moment. */
  public Timing decide(Wait wait) {
    Set<String> worthless = new TreeSet<>(wait.rules());
    worthless.retainAll(policy.never());
    if (!worthless.isEmpty()) {
      return new EndNow("no job is waited for with " + words(worthless) + " (wait.never)");
    }
    if (!wait.rules().isEmpty() && policy.always().containsAll(wait.rules())) {
      String rules = words(new TreeSet<>(wait.rules()));
      return new AtJobEnd("a job is never ended for " + rules + " (wait.always)");
    }
    Optional<Instant> stalled = stalledSince(wait.progress(), wait.now());
    if (stalled.isPresent()) {
      return new EndNow("the job has made no step since " + stalled.get());
    }
    return switch (wait.urgency()) {
      case NOW -> new EndNow("it is urgent");
      case JOB_END -> new AtJobEnd("it can wait for the end of the job");
      case NEXT_CHECKPOINT -> atCheckpoint(wait);
    };
  }

  private static String words(Set<String> rules) {
    return String.join(" and ", rules);
  }

  private Timing atCheckpoint(Wait wait) {
    JobProgress job = wait.progress();
    if (job.unsaved().isEmpty()) {
      return new AtJobEnd("the checkpoints of the job are unknown");
    }
    Optional<Instant> durable = job.durable().filter(wait.since()::isBefore);
    if (durable.isPresent() && isNew(durable.get(), job, wait.now())) {
      return new EndNow("its checkpoint is durable since " + durable.get());
    }
    if (job.interval().isEmpty()) {
      return new AtJobEnd("the interval between its checkpoints is unknown");
    }
    Duration most = least(policy.most(), job.interval().get().multipliedBy(2));
    if (!wait.now().isBefore(durable.orElse(wait.since()).plus(most))) {
      return new EndNow("it has had no checkpoint in " + TimeText.exact(most));
    }
    return byCost(costs(job, policy.hazard(wait.rules()), wait.now()));
  }

  /** After this time an end costs as much as before the checkpoint. */
  private static boolean isNew(Instant durable, JobProgress job, Instant now) {
    if (job.interval().isEmpty()) {
      return true;
    }
    Duration part = job.interval().get().dividedBy(NEW);
    return !now.isAfter(durable.plus(part.compareTo(ROUND) > 0 ? part : ROUND));
  }

  private static Timing byCost(Costs costs) {
    if (costs.atCheckpoint().isEmpty()) {
      return new AtCheckpoint("how often such a node fails is unknown (wait.hazards)");
    }
    String both =
        String.format(
            Locale.ROOT,
            "%.2f hours of each GPU now, %.2f to be expected at the next checkpoint",
            costs.now().orElse(0),
            costs.atCheckpoint().getAsDouble());
    return costs.now().orElse(0) <= costs.atCheckpoint().getAsDouble()
        ? new EndNow("it is the cheaper end: " + both)
        : new AtCheckpoint("it is worth waiting: " + both);
  }

  /**
   * The cost of a stop for each GPU of a job. A write time or slow-down that is unknown counts as
   * none.
   *
   * @param hazard how often the node fails by itself, per hour
   */
  public Costs costs(JobProgress job, OptionalDouble hazard, Instant now) {
    if (job.unsaved().isEmpty()) {
      return new Costs(OptionalDouble.empty(), OptionalDouble.empty(), Optional.empty());
    }
    Instant unsaved = job.unsaved().get();
    double restart = hours(policy.restart());
    OptionalDouble stop = OptionalDouble.of(hours(between(unsaved, now)) + restart);
    if (job.interval().isEmpty()) {
      return new Costs(stop, OptionalDouble.empty(), Optional.empty());
    }
    Duration interval = job.interval().get();
    Instant next = unsaved.plus(interval).plus(job.write().orElse(Duration.ZERO));
    return hazard.isEmpty()
        ? new Costs(stop, OptionalDouble.empty(), Optional.of(next))
        : new Costs(
            stop,
            OptionalDouble.of(
                restart
                    + slowed(job) * hours(between(now, next))
                    + failing(hazard.getAsDouble(), between(now, next))
                        * (hours(interval) + restart)),
            Optional.of(next));
  }

  /** The part of the time that is lost to a slow node. */
  private static double slowed(JobProgress job) {
    return 1 - 1 / Math.max(1, job.slowdown().orElse(1));
  }

  private static double failing(double perHour, Duration wait) {
    return 1 - Math.exp(-perHour * hours(wait));
  }

  private Optional<Instant> stalledSince(JobProgress job, Instant now) {
    if (job.stepTime().isEmpty()) {
      return Optional.empty();
    }
    Duration steps = job.stepTime().get().multipliedBy(policy.stalledSteps());
    Duration limit = steps.compareTo(policy.stalledFor()) > 0 ? steps : policy.stalledFor();
    return job.lastStep().filter(last -> last.plus(limit).isBefore(now));
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Never negative: clocks of nodes differ. */
  private static Duration between(Instant from, Instant to) {
    return to.isBefore(from) ? Duration.ZERO : Duration.between(from, to);
  }

  private static double hours(Duration time) {
    return time.toMillis() / (HOUR * 1000);
  }
}
