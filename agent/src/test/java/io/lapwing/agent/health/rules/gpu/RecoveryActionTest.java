package io.lapwing.agent.health.rules.gpu;

import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.healthy;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecoveryActionTest {

  private final RuleRun rule = new RuleRun(new RecoveryAction());

  private static NodeSnapshots wish(int value) {
    return healthy().value(3, DcgmMetrics.GET_GPU_RECOVERY_ACTION, value);
  }

  @ParameterizedTest
  @CsvSource({
    "1, FAILING, RESET_GPU, NOW, the driver requests a reset of the GPU",
    "2, FAILING, REBOOT_NODE, NOW, the driver requests a reboot of the node",
    "3, DEGRADED, RESET_GPU, JOB_END, the driver requests an end of all peer-to-peer traffic",
    "4, DEGRADED, RESET_GPU, JOB_END, 'the driver requests a drain, then a reset'",
    "5, DEGRADED, WATCH, JOB_END, the driver requests the recovery of the IMEX domain",
    "6, UNKNOWN, WATCH, JOB_END, 'the driver requests recovery action 6, which this version does not recognise'"
  })
  void theDriversWishIsTheCallUnderBothProfiles(
      int value, Severity severity, Action action, Urgency urgency, String what) {
    Disposition disposition = new Disposition(severity, action, urgency);

    assertThat(rule.one(wish(value)).disposition()).isEqualTo(disposition);
    assertThat(rule.oneForNvidia(wish(value)).disposition()).isEqualTo(disposition);
    assertThat(rule.what(wish(value))).isEqualTo(what);
  }

  @Test
  void aDriverWithoutARecoveryActionGivesNoDetection() {
    rule.silent(wish(0));
    rule.silent(healthy().without(3, DcgmMetrics.GET_GPU_RECOVERY_ACTION));
  }

  @Test
  void whatASiteSetsIsACeilingForEveryForm() {
    Disposition mild = Disposition.degraded(Action.WATCH, Urgency.JOB_END);

    for (int value = 1; value <= 6; value++) {
      Detection detection = rule.under(mild, wish(value)).get(0);
      assertThat(detection.disposition()).as("value " + value).isEqualTo(mild);
    }
    assertThat(rule.under(Disposition.info(), wish(2)).get(0).disposition())
        .isEqualTo(Disposition.info());
  }
}
