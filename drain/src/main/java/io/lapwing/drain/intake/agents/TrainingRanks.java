package io.lapwing.drain.intake.agents;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.intake.Json;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.jobs.JobProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The ranks of a job, from the array {@code training} of the agents' {@code /api/v1/live}. Only
 * verified ranks count: any user can write a step file that names the job of another. A rank of a
 * job of pods is identified by the pod of its process's cgroup, whatever job it names. Of several,
 * the one with the oldest checkpoint counts, since a restart begins there.
 *
 * @param ranks as the agents have them
 * @param clear whether each of them is of this job alone; a row may be of ranks in several pods,
 *     which name the same job, and which of its values are of which pod is not known
 */
record TrainingRanks(List<Rank> ranks, boolean clear) {

  static final TrainingRanks NONE = new TrainingRanks(List.of(), true);

  /** The agent separates the pods of a row. */
  private static final String PODS = ", ";

  private static final double MILLIS = 1e3;

  /** The agent's usual duration is the median of the last 128. */
  private static final double MANY_STEPS = 1024;

  /** 2096, in seconds. */
  private static final double LAST_TIME = 4e9;

  TrainingRanks {
    ranks = List.copyOf(ranks);
  }

  /** An agent's values of one rank. */
  record Rank(
      boolean trains,
      Optional<Instant> unsaved,
      Optional<Instant> durable,
      Optional<Instant> lastStep,
      Optional<Duration> stepTime,
      OptionalDouble slowdown) {

    /** From the step whose state the last checkpoint has until it was durable. */
    Optional<Duration> write() {
      return unsaved.flatMap(
          from ->
              durable.filter(until -> !until.isBefore(from)).map(to -> Duration.between(from, to)));
    }
  }

  /** These and those of another node. */
  TrainingRanks and(TrainingRanks other) {
    List<Rank> all = new ArrayList<>(ranks);
    all.addAll(other.ranks);
    return new TrainingRanks(all, clear && other.clear);
  }

  /** Those of a job on one node. */
  static TrainingRanks read(byte[] json, Job job) throws Unusable {
    List<Rank> ranks = new ArrayList<>();
    boolean clear = true;
    for (JsonNode row : Json.object(json, "live").path("training")) {
      List<String> pods = List.of(row.path("pod_uid").asText("").split(PODS, -1));
      clear &= pods.size() == 1 || pods.stream().noneMatch(job.pods()::contains);
      boolean isOfJob =
          job.processIds().contains(row.path("job_id").asText(""))
              || (pods.size() == 1 && job.pods().contains(pods.get(0)));
      if (isOfJob && row.path("verified").asInt(0) == 1) {
        ranks.add(
            new Rank(
                row.path("phase").asText("").equals("training"),
                time(row, "unsaved_since"),
                time(row, "checkpoint_durable"),
                time(row, "step_ended"),
                seconds(row, "usual_step_seconds"),
                slowdown(row)));
      }
    }
    return new TrainingRanks(ranks, clear);
  }

  /** The steps of late over all steps of the run, if these are many more. */
  private static OptionalDouble slowdown(JsonNode row) {
    double steps = row.path("steps").asDouble(0);
    double mean = row.path("step_seconds").asDouble(0) / steps;
    double late = row.path("usual_step_seconds").asDouble(0);
    return steps >= MANY_STEPS && mean > 0 && late > 0
        ? OptionalDouble.of(late / mean)
        : OptionalDouble.empty();
  }

  private static Optional<Instant> time(JsonNode row, String field) {
    return millis(row, field).map(Instant::ofEpochMilli);
  }

  private static Optional<Duration> seconds(JsonNode row, String field) {
    return millis(row, field).map(Duration::ofMillis);
  }

  private static Optional<Long> millis(JsonNode row, String field) {
    double value = row.path(field).asDouble(0);
    boolean known = row.path(field).isNumber() && value > 0 && value < LAST_TIME;
    return known ? Optional.of(Math.round(value * MILLIS)) : Optional.empty();
  }

  /**
   * How far the job is; unknown unless all is clear. A step is only due while all of its ranks
   * train.
   *
   * @param interval between its checkpoints
   */
  JobProgress progress(Optional<Duration> interval) {
    if (!clear) {
      return JobProgress.UNKNOWN;
    }
    Optional<Rank> oldest =
        ranks.stream()
            .filter(rank -> rank.unsaved().isPresent())
            .min(Comparator.comparing(rank -> rank.unsaved().orElseThrow()));
    boolean train = ranks.stream().allMatch(Rank::trains);
    return new JobProgress(
        oldest.flatMap(Rank::unsaved),
        oldest.flatMap(Rank::durable),
        interval,
        oldest.flatMap(Rank::write),
        train ? greatest(ranks.stream().map(Rank::lastStep)) : Optional.empty(),
        greatest(ranks.stream().map(Rank::stepTime)),
        // All ranks wait for the slowest, so that they differ by their evaluations alone.
        ranks.stream().map(Rank::slowdown).flatMapToDouble(OptionalDouble::stream).min());
  }

  private static <T extends Comparable<? super T>> Optional<T> greatest(
      Stream<Optional<T>> values) {
    return values.flatMap(Optional::stream).max(Comparator.naturalOrder());
  }
}
