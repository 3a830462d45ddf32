package io.lapwing.agent.attribution;

import io.lapwing.agent.attribution.Evidence.Kind;
import io.lapwing.agent.health.Median;
import io.lapwing.training.TrainingMetrics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kernel scheduler's statistics of the process of one rank. */
final class ProcessEvidence {

  static final Evidence.Inputs INPUTS =
      new Evidence.Inputs(TrackedRank.KIND, List.of(), List.of(TrainingMetrics.RUN_DELAY_SECONDS));

  private static final double MIN_SHARE = 0.1;

  /** Of a loss for which it accounts, and of a delay that the siblings have too. */
  private static final double HALF = 0.5;

  private ProcessEvidence() {}

  /** The siblings are those that it is compared with, without itself. */
  static Optional<Evidence> of(String rank, List<String> siblings, NodeContext context) {
    double share = share(rank, context);
    if (share < MIN_SHARE) {
      return Optional.empty();
    }
    double[] others = siblings.stream().mapToDouble(one -> share(one, context)).toArray();
    boolean shared = others.length > 0 && Median.lower(others) > share * HALF;
    return Optional.of(
        new Evidence(
            shared ? Kind.PROCESSORS : Kind.OWN_PROCESSOR,
            String.format(
                Locale.ROOT,
                "its process waited for a processor in %.0f %% of the time",
                100 * share),
            excess -> share >= HALF * excess.share()));
  }

  private static double share(String rank, NodeContext context) {
    return context.increase(rank, TrainingMetrics.RUN_DELAY_SECONDS)
        / NodeContext.WINDOW.toSeconds();
  }
}
