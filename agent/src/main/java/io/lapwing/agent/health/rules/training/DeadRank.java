package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Values;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A rank whose process ended before its loop did.
 *
 * @param noticed within seconds of its end
 * @param outlived ranks of its job on this node that were there afterwards
 */
record DeadRank(
    String job,
    String run,
    String rank,
    String gpu,
    String pid,
    double owner,
    Instant noticed,
    int outlived) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss'Z'", Locale.ROOT);

  static final List<Metric> READS =
      List.of(TrainingMetrics.RANK_GONE, TrainingMetrics.RANK_OUTLIVED);

  /** In the order in which they ended. */
  static List<DeadRank> all(NodeSnapshot view) {
    Values values = view.whole(TrainingSource.KIND).map(part -> part.values()).orElse(Values.NONE);
    List<DeadRank> dead = new ArrayList<>();
    values.each(
        TrainingMetrics.RANK_GONE,
        (labels, seconds) -> dead.add(of(labels, seconds, values, view)));
    dead.sort(Comparator.comparing(DeadRank::noticed));
    return dead;
  }

  private static DeadRank of(
      List<String> labels, double seconds, Values values, NodeSnapshot view) {
    double outlived =
        values.get(TrainingMetrics.RANK_OUTLIVED, labels.toArray(String[]::new)).orElse(0);
    return new DeadRank(
        labels.get(0),
        labels.get(1),
        labels.get(2).isEmpty() ? "-" : labels.get(2),
        RankStatus.gpu(labels.get(3), view),
        labels.get(4),
        Double.parseDouble(labels.get(5)),
        Instant.ofEpochMilli((long) (seconds * 1e3)),
        (int) outlived);
  }

  boolean isOfJobOf(RankStatus other) {
    return job.equals(other.job()) && run.equals(other.run()) && owner == other.owner();
  }

  /** {@code rank 1 (pid 8439) is gone since 15:29:27Z without having ended}. */
  String words() {
    return "%s is gone since %s without having ended"
        .formatted(RankStatus.words(rank, pid, gpu), TIME.format(noticed.atOffset(ZoneOffset.UTC)));
  }
}
