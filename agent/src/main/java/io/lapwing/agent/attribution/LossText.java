package io.lapwing.agent.attribution;

import io.lapwing.agent.health.Slowness;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Describes in words what a rank lost in a window. */
final class LossText {

  private LossText() {}

  /** Empty if nothing was lost. */
  static Optional<Slowness.Rank> of(TrackedRank rank, RankTime time, List<Loss> losses) {
    Map<Cause, Double> byCause = Losses.byCause(losses);
    return byCause.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(
            largest ->
                new Slowness.Rank(
                    rank.subject(),
                    largest.getKey().text(),
                    rounded(largest.getValue()),
                    rounded(time.seconds()),
                    sentence(rank, time, largest.getKey(), losses)));
  }

  private static double rounded(double seconds) {
    return Math.round(seconds * 1000) / 1000.0;
  }

  private static String sentence(TrackedRank rank, RankTime time, Cause cause, List<Loss> losses) {
    List<Loss> matching =
        losses.stream()
            .filter(loss -> loss.cause() == cause)
            .sorted(Comparator.comparingDouble(Loss::seconds).reversed())
            .toList();
    double seconds = matching.stream().mapToDouble(Loss::seconds).sum();
    return String.format(
        Locale.ROOT,
        "%s%s lost %.1f s of %.1f s of steps to %s: %s",
        rank.text(),
        rank.gpu().isEmpty() ? "" : " (GPU " + rank.gpu() + ")",
        seconds,
        time.seconds(),
        cause.words(),
        matching.stream().map(LossText::clause).collect(Collectors.joining("; ")));
  }

  private static String clause(Loss loss) {
    return loss.evidence()
        .map(evidence -> loss.timing() + ", and " + evidence)
        .orElseGet(() -> loss.timing() + "; no further evidence on this node");
  }
}
