package io.lapwing.agent.health;

import java.time.Duration;
import java.util.List;

/** Two rules to build policies of. */
public final class SomeRules {

  public static final RuleSpec REMAP =
      RuleSpec.named("row_remap_failure")
          .about("A row could not be remapped.")
          .why("There is no spare row left.")
          .document("NVIDIA GPU Memory Error Management")
          .aws(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW))
          .nvidia(Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END))
          .closeAfter(Duration.ofSeconds(30))
          .build();

  public static final RuleSpec SBE =
      RuleSpec.named("sbe_acceleration")
          .about("Corrected errors come faster and faster.")
          .why("Uncorrectable ones may follow.")
          .document("none")
          .aws(Disposition.WATCH)
          .openAfter(Duration.ofMinutes(5))
          .closeAfter(Duration.ofMinutes(10))
          .threshold("floor_per_hour", 10, 1, 1000, "errors")
          .meaning("Below this nothing counts.")
          .threshold("factor", 2.5, 1, 100, "ratio")
          .meaning("By how much.")
          .build();

  public static final List<RuleSpec> ALL = List.of(REMAP, SBE);

  private SomeRules() {}
}
