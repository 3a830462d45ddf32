package io.lapwing.agent.attribution;

import io.lapwing.agent.attribution.Evidence.Kind;
import io.lapwing.training.TrainingMetrics;
import java.util.List;
import java.util.Optional;

/** What the scheduler says about the process of one rank. */
final class ProcessEvidence {

  static final Evidence.Inputs INPUTS =
      new Evidence.Inputs(TrackedRank.KIND, List.of(), List.of(TrainingMetrics.RUN_DELAY_SECONDS));

  private static final double MIN_SHARE = 0.1;

  private ProcessEvidence() {}

  static Optional<Evidence> of(String rank, NodeContext context) {
    double share =
        context.increase(rank, TrainingMetrics.RUN_DELAY_SECONDS) / NodeContext.WINDOW.toSeconds();
    return share < MIN_SHARE
        ? Optional.empty()
        : Optional.of(
            Evidence.of(
                Kind.OWN_PROCESSOR,
                "its process waited for a processor in %.0f %% of the time",
                100 * share));
  }
}
