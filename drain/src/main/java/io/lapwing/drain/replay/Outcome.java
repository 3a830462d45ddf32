package io.lapwing.drain.replay;

import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.jobs.JobAtStake;
import io.lapwing.drain.remediation.Attempt;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The actions that a policy would have taken.
 *
 * @param policy its name
 * @param remediations that were requested
 * @param notNeeded those at which the node was healthy when it was asked
 * @param waiting those that were not drained by the end of the record
 * @param drainsPerThousandNodeDays empty of a record of less than one node-day
 * @param handedOver nodes for which a person had to act
 * @param repairs by remedy and result
 * @param brakes by limit
 */
public record Outcome(
    String policy,
    int remediations,
    int notNeeded,
    int waiting,
    int drains,
    OptionalDouble drainsPerThousandNodeDays,
    Releases releases,
    long handedOver,
    Map<Remedy, Map<String, Integer>> repairs,
    Lost lost,
    Stake stake,
    Map<String, BrakeTrips> brakes) {

  /**
   * GPU hours.
   *
   * @param idle of nodes out of service without a job
   * @param forPeople those of them in which a person had to act
   * @param jobs of jobs that the controller ended: work since the last checkpoint, and the restart
   * @param ended how many these were
   * @param unknown for how many of them it is unknown
   */
  public record Lost(double idle, double forPeople, double jobs, int ended, int unknown) {}

  /**
   * The jobs on nodes when these were drained, each once.
   *
   * @param known of how many the checkpoints are known
   * @param now GPU hours that these lose if they end at once
   * @param expected of how many a loss at the next checkpoint can be expected, too
   * @param atCheckpoint that loss
   * @param nowOfExpected what the same jobs lose if they end at once
   */
  public record Stake(
      int jobs, int known, double now, int expected, double atCheckpoint, double nowOfExpected) {}

  static Outcome of(Recording recording, String policy, Tally tally, ReplayedCluster cluster) {
    Collection<Course> courses = tally.courses();
    int drains = (int) courses.stream().filter(one -> one.drained().isPresent()).count();
    return new Outcome(
        policy,
        courses.size(),
        in(courses, Phase.NOT_NEEDED),
        in(courses, Phase.REQUESTED),
        drains,
        perThousand(drains, recording.nodeDays()),
        Releases.of(recording, courses),
        courses.stream()
            .filter(Course::needsPerson)
            .map(one -> one.last().node())
            .distinct()
            .count(),
        repairs(courses),
        lost(courses, cluster),
        stake(courses),
        tally.brakes());
  }

  private static OptionalDouble perThousand(int drains, double days) {
    return days >= 1 ? OptionalDouble.of(1000 * drains / days) : OptionalDouble.empty();
  }

  private static int in(Collection<Course> courses, Phase phase) {
    return (int) courses.stream().filter(one -> one.last().phase() == phase).count();
  }

  private static Map<Remedy, Map<String, Integer>> repairs(Collection<Course> courses) {
    Map<Remedy, Map<String, Integer>> repairs = new TreeMap<>();
    courses.stream()
        .map(Course::last)
        .map(Remediation::attempts)
        .flatMap(List::stream)
        .forEach(
            one ->
                repairs
                    .computeIfAbsent(one.remedy(), any -> new TreeMap<>())
                    .merge(
                        one.outcome().map(Attempt.Outcome::word).orElse("running"),
                        1,
                        Integer::sum));
    return repairs;
  }

  private static Lost lost(Collection<Course> courses, ReplayedCluster cluster) {
    List<JobAtStake> ended = courses.stream().flatMap(one -> one.ended().stream()).toList();
    int unknown = (int) ended.stream().filter(job -> job.now().gpuHours().isEmpty()).count();
    double jobs = ended.stream().mapToDouble(job -> job.now().gpuHours().orElse(0)).sum();
    return new Lost(cluster.idleGpuHours(), cluster.idleForPeople(), jobs, ended.size(), unknown);
  }

  private static Stake stake(Collection<Course> courses) {
    Map<String, JobAtStake> jobs = new HashMap<>();
    courses.stream()
        .filter(one -> one.drained().isPresent())
        .flatMap(one -> one.atStake().stream())
        .forEach(job -> jobs.putIfAbsent(job.id(), job));
    List<JobAtStake> known =
        jobs.values().stream().filter(job -> job.now().gpuHours().isPresent()).toList();
    List<JobAtStake> expected =
        known.stream().filter(job -> job.atCheckpoint().gpuHours().isPresent()).toList();
    return new Stake(
        jobs.size(),
        known.size(),
        now(known),
        expected.size(),
        expected.stream().mapToDouble(job -> job.atCheckpoint().gpuHours().orElse(0)).sum(),
        now(expected));
  }

  private static double now(List<JobAtStake> jobs) {
    return jobs.stream().mapToDouble(job -> job.now().gpuHours().orElse(0)).sum();
  }
}
