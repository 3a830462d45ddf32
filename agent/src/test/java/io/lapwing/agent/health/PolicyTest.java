package io.lapwing.agent.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.PolicyOverrides.DispositionChange;
import io.lapwing.agent.health.PolicyOverrides.RuleChange;
import io.lapwing.xid.XidTable;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyTest {

  private static final XidTable TABLE = XidTable.load();

  private static Policy policy(Profile profile, PolicyOverrides site) {
    return Policy.of(profile, TABLE, SomeRules.ALL, site);
  }

  @Test
  void aProfileAloneIsWhatTheTableAndTheRulesSay() {
    Policy aws = policy(Profile.AWS, PolicyOverrides.NONE);
    Policy nvidia = policy(Profile.NVIDIA, PolicyOverrides.NONE);

    assertThat(aws.profile()).isEqualTo("aws");
    assertThat(nvidia.profile()).isEqualTo("nvidia");
    assertThat(aws.xid(79)).isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
    assertThat(nvidia.xid(79)).isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW));
    assertThat(aws.xid(63)).isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(nvidia.xid(63)).isEqualTo(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END));
    assertThat(aws.xid(9999)).isEqualTo(Disposition.degraded(Action.WATCH, Urgency.JOB_END));
    assertThat(aws.rule("sbe_acceleration").disposition()).isEqualTo(SomeRules.SBE.aws());
    assertThat(nvidia.rule("sbe_acceleration").disposition()).isEqualTo(SomeRules.SBE.nvidia());
    assertThat(aws.rule("sbe_acceleration").enabled()).isTrue();
    assertThat(aws.rule("sbe_acceleration").thresholds())
        .isEqualTo(Map.of("floor_per_hour", 10.0, "factor", 2.5));
  }

  @Test
  void everyRowOfTheTableHasValidWords() {
    for (Profile profile : Profile.values()) {
      assertThat(policy(profile, PolicyOverrides.NONE).xids()).hasSameSizeAs(TABLE.all());
    }
  }

  @Test
  void aSiteChangesOnlyWhatItNames() {
    PolicyOverrides site =
        new PolicyOverrides(
            Optional.of("policy.yml"),
            Optional.empty(),
            Map.of(
                63, change(Optional.empty(), Optional.of(Action.RESET_GPU)),
                200, change(Optional.of(Severity.FAILING), Optional.of(Action.REBOOT_NODE))),
            change(Optional.of(Severity.INFO), Optional.empty()),
            Map.of(
                "sbe_acceleration",
                new RuleChange(
                    Optional.of(false),
                    change(Optional.empty(), Optional.of(Action.NONE)),
                    Map.of("factor", 4.0))));

    Policy policy = policy(Profile.AWS, site);

    assertThat(policy.profile()).isEqualTo("aws + policy.yml");
    assertThat(policy.xid(63)).isEqualTo(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END));
    assertThat(policy.xid(64)).isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
    assertThat(policy.xid(9999))
        .isEqualTo(new Disposition(Severity.INFO, Action.WATCH, Urgency.JOB_END));
    assertThat(policy.xid(200)).isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.JOB_END));
    assertThat(policy.rule("row_remap_failure").disposition()).isEqualTo(SomeRules.REMAP.aws());
    assertThat(policy.rule("sbe_acceleration"))
        .isEqualTo(
            new RulePolicy(
                SomeRules.SBE,
                false,
                Disposition.degraded(Action.NONE, Urgency.JOB_END),
                Map.of("floor_per_hour", 10.0, "factor", 4.0)));
  }

  private static DispositionChange change(Optional<Severity> severity, Optional<Action> action) {
    return new DispositionChange(severity, action, Optional.empty());
  }
}
