package io.lapwing.agent.health;

import java.time.Duration;
import java.util.List;

/** Two rules to build policies of. */
public final class SomeRules {

  public static final RuleSpec REMAP =
      new RuleSpec(
          "row_remap_failure",
          "A row could not be remapped.",
          "There is no spare row left.",
          "NVIDIA GPU Memory Error Management",
          Disposition.failing(Action.REPLACE_NODE, Urgency.NOW),
          Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END),
          Duration.ZERO,
          Duration.ofSeconds(30),
          List.of());

  public static final RuleSpec SBE =
      new RuleSpec(
          "sbe_acceleration",
          "Corrected errors come faster and faster.",
          "Uncorrectable ones may follow.",
          "none",
          Disposition.degraded(Action.WATCH, Urgency.JOB_END),
          Disposition.info(),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          List.of(
              new Threshold("floor_per_hour", 10, 1, 1000, "errors", "Below this nothing counts."),
              new Threshold("factor", 2.5, 1, 100, "ratio", "By how much.")));

  public static final List<RuleSpec> ALL = List.of(REMAP, SBE);

  private SomeRules() {}
}
