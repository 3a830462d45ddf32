package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.NcclMetrics;
import io.lapwing.nccl.RasSource;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Whether the job of a process has other nodes: by the variables of its launcher, its step file, or
 * a communicator of NCCL with more ranks than the node has GPUs.
 */
record OtherNodes(NodeSnapshot view, Duration window) {

  private static final String SEVERAL = "several";
  private static final String ONE = "one";

  /** For a process of which its files show that it cannot use EFA. */
  boolean mayHave(JobProcess process) {
    return process.nodes().equals(SEVERAL)
        || isRankElsewhere(process, false)
        || (!process.nodes().equals(ONE) && hasWideCommunicator());
  }

  /** Whether it also makes progress together with them. */
  boolean communicatesWith(JobProcess process) {
    return isRankElsewhere(process, true)
        || (!process.nodes().equals(ONE) && hasWideCommunicator());
  }

  private boolean isRankElsewhere(JobProcess process, boolean inProgress) {
    return view.parts(TrainingSource.KIND).stream()
        .filter(PartStatus::answers)
        .filter(rank -> rank.values().get(TrainingMetrics.VERIFIED).orElse(0) == 1)
        .filter(rank -> !inProgress || steps(rank) > 0)
        .flatMap(rank -> rank.values().all(TrainingMetrics.INFO).keySet().stream())
        .anyMatch(
            info ->
                label(info, "pid") == process.pid()
                    && label(info, "world_size") > view.gpus().size());
  }

  private double steps(PartStatus rank) {
    return view.trends().increase(rank.key(), TrainingMetrics.STEPS, List.of(), window).orElse(0);
  }

  /** A number among the labels after those that every series of a rank has; 0 if unknown. */
  private static long label(List<String> info, String name) {
    Metric family = TrainingMetrics.INFO;
    int at = family.labels().indexOf(name) - TrainingMetrics.STEPS.labels().size();
    return at >= 0 && at < info.size() && info.get(at).matches("\\d{1,9}")
        ? Long.parseLong(info.get(at))
        : 0;
  }

  /** A communicator that started an operation within the window. */
  private boolean hasWideCommunicator() {
    return view.whole(RasSource.KIND).filter(PartStatus::answers).stream()
        .anyMatch(this::hasWideCommunicator);
  }

  private boolean hasWideCommunicator(PartStatus ras) {
    Map<List<String>, Double> ranks = ras.values().all(NcclMetrics.RANKS);
    return ras.values().all(NcclMetrics.COLLECTIVES_STILL).entrySet().stream()
        .filter(rank -> rank.getValue() < window.toSeconds())
        .anyMatch(
            rank -> ranks.getOrDefault(List.of(rank.getKey().get(0)), 0.0) > view.gpus().size());
  }
}
