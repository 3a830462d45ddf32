package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ranks whose process ended before their loop did, while others of the job were there: the first
 * one is why the others fail or wait.
 */
final class TrainingRankGone implements TrainingRule {

  private static final String KEPT = "kept_seconds";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("training_rank_gone")
        .about("The process of a rank ended before its training loop did, and others outlived it.")
        .why(
            "The others fail or wait because of it, so it is the one to look at; a program that crashes does not indicate a fault of this node, which would have a finding of its own.")
        .document("Lapwing; the lock of a step file ends with its process")
        .disposition(Disposition.info())
        .threshold(KEPT, 600, 10, 86_400, "seconds")
        .meaning("Time for which the finding stays after the last of them; Lapwing's own choice.")
        .needs(TrainingMetrics.RANKS)
        .reads(DeadRank.READS.toArray(Metric[]::new))
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Map<List<Object>, List<DeadRank>> jobs = new LinkedHashMap<>();
    DeadRank.all(view)
        .forEach(
            dead ->
                jobs.computeIfAbsent(
                        List.of(dead.job(), dead.run(), dead.owner()), unseen -> new ArrayList<>())
                    .add(dead));
    return jobs.values().stream()
        .filter(dead -> isRecent(dead, view, policy))
        .map(dead -> detection(dead, view, policy))
        .toList();
  }

  private static boolean isRecent(List<DeadRank> dead, NodeSnapshot view, RulePolicy policy) {
    Duration age = Duration.between(dead.get(dead.size() - 1).noticed(), view.now());
    return age.toMillis() / 1e3 <= policy.threshold(KEPT);
  }

  private static Detection detection(List<DeadRank> dead, NodeSnapshot view, RulePolicy policy) {
    DeadRank first = dead.get(0);
    return policy
        .detection(
            RankStatus.ofJob(first.job(), first.run(), view),
            "%s; %s of the job on this node outlived it%s"
                .formatted(
                    first.words(),
                    RuleText.count(first.outlived(), "rank"),
                    later(dead.subList(1, dead.size()))),
            TrainingMetrics.RANKS)
        .withTimes(first.noticed(), view.now(), dead.size());
  }

  private static String later(List<DeadRank> dead) {
    return dead.isEmpty() ? "" : "; then " + StallSigns.named(dead, DeadRank::words);
  }
}
