package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.nccl.ring.RingSource;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A rank of a communicator, from the ring of Lapwing's profiler plugin for NCCL, whose process the
 * kernel confirms: any user may write any rank into a file.
 *
 * @param labels of its series
 * @param comm the hash of the communicator
 * @param commName as NCCL calls it; empty if unknown
 * @param rank in the communicator
 * @param pid of its process
 * @param owner the uid
 * @param name as the part of its step file, {@code 4711/3}; a dash for an unknown job
 * @param gpu on which the driver sees its process
 * @param stepRank the part of its step file, if it is verified
 */
public record RingRank(
    List<String> labels,
    String comm,
    String commName,
    String rank,
    String pid,
    String owner,
    String name,
    Optional<GpuStatus> gpu,
    Optional<PartStatus> stepRank) {

  private static final int OWN = 3;

  /** Of {@link #all}. */
  public static final List<Metric> READS =
      List.of(
          RingMetrics.RANK_PROCESS,
          RingMetrics.INFO,
          TrainingMetrics.INFO,
          TrainingMetrics.VERIFIED);

  /** All of this node. */
  public static List<RingRank> all(NodeSnapshot view) {
    Values values = values(view);
    Map<List<String>, Double> found = values.all(RingMetrics.RANK_PROCESS);
    if (found.isEmpty()) {
      return List.of();
    }
    Map<String, String> names = new HashMap<>();
    values.each(RingMetrics.INFO, (labels, one) -> names.put(labels.get(0), labels.get(OWN)));
    Map<String, PartStatus> steps = stepRanks(view);
    return found.keySet().stream().map(labels -> of(labels, names, steps, view)).toList();
  }

  /** The values of the rings; empty while they are not read. */
  public static Values values(NodeSnapshot view) {
    return view.whole(RingSource.COLLECTOR)
        .filter(PartStatus::answers)
        .map(PartStatus::values)
        .orElse(Values.NONE);
  }

  /** Verified ranks of step files, by pid. */
  private static Map<String, PartStatus> stepRanks(NodeSnapshot view) {
    Map<String, PartStatus> ranks = new HashMap<>();
    int at = TrainingMetrics.INFO.labels().indexOf("pid") - TrainingMetrics.STEPS.labels().size();
    view.parts(TrainingSource.KIND).stream()
        .filter(PartStatus::answers)
        .filter(part -> part.values().get(TrainingMetrics.VERIFIED).orElse(0) == 1)
        .forEach(
            part ->
                part.values()
                    .each(TrainingMetrics.INFO, (info, one) -> ranks.put(info.get(at), part)));
    return ranks;
  }

  private static RingRank of(
      List<String> labels,
      Map<String, String> names,
      Map<String, PartStatus> steps,
      NodeSnapshot view) {
    List<String> base = List.copyOf(labels.subList(0, OWN));
    String pid = labels.get(OWN);
    String job = labels.get(OWN + 2);
    String rank = labels.get(OWN + 3).isEmpty() ? base.get(1) : labels.get(OWN + 3);
    Optional<PartStatus> step = Optional.ofNullable(steps.get(pid));
    return new RingRank(
        base,
        base.get(0),
        names.getOrDefault(base.get(0), ""),
        base.get(1),
        pid,
        labels.get(OWN + 1),
        step.map(PartStatus::name).orElse((job.isEmpty() ? "-" : job) + "/" + rank),
        gpu(labels.get(OWN + 4), view),
        step);
  }

  private static Optional<GpuStatus> gpu(String index, NodeSnapshot view) {
    return view.gpus().stream()
        .filter(gpu -> Integer.toString(gpu.index()).equals(index))
        .findFirst();
  }

  public Subject subject() {
    return new Subject.Part(TrainingSource.KIND, name);
  }

  /** The job in {@link #name}. */
  public String job() {
    return name.substring(0, name.indexOf('/'));
  }

  /** {@code communicator ae94423cfbb2ef4a (DP Group 0)}. */
  public String communicator() {
    return "communicator " + comm + (commName.isEmpty() ? "" : " (" + commName + ")");
  }

  /** {@code process 8439 on GPU 3 (GPU-...)}. */
  public String process() {
    return "process "
        + pid
        + gpu.map(one -> " on " + one.text() + " (" + one.uuid() + ")").orElse("");
  }

  OptionalDouble value(Metric metric, Values values) {
    return values.get(metric, labels.toArray(String[]::new));
  }

  boolean isSameCommunicator(RingRank other) {
    return comm.equals(other.comm) && owner.equals(other.owner);
  }
}
