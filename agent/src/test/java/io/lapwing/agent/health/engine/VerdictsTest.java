package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VerdictsTest {

  private static Finding finding(Disposition disposition) {
    Detection detection =
        new Detection(
            "rule",
            Subject.NODE,
            disposition,
            "what",
            "why",
            "document",
            Optional.empty(),
            Optional.empty(),
            1,
            List.of());
    return new Finding(detection, Instant.EPOCH, Instant.EPOCH);
  }

  private static Verdicts.Ruling ruling(Disposition... calls) {
    return Verdicts.node(Stream.of(calls).map(VerdictsTest::finding).toList());
  }

  @Test
  void theWorstFindingIsTheVerdictAndTheHardestActionTheAction() {
    assertThat(
            ruling(
                Disposition.failing(Action.RESET_GPU, Urgency.JOB_END),
                Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END)))
        .isEqualTo(
            new Verdicts.Ruling(
                Verdict.FAILING, Action.REPLACE_NODE, Optional.of(Urgency.JOB_END)));
  }

  @Test
  void aResetThatIsDueNowDoesNotWaitForAReplacementThatCould() {
    assertThat(
            ruling(
                    Disposition.failing(Action.RESET_GPU, Urgency.NOW),
                    Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END))
                .urgency())
        .contains(Urgency.NOW);
  }

  @Test
  void anApplicationThatIsToBeStartedAgainNowHurriesNoReset() {
    assertThat(
            ruling(
                    Disposition.degraded(Action.RESTART_APP, Urgency.NOW),
                    Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END))
                .urgency())
        .contains(Urgency.JOB_END);
  }

  @Test
  void infoFindingsDoNotChangeTheVerdict() {
    assertThat(ruling(Disposition.info()).verdict()).isEqualTo(Verdict.HEALTHY);
  }
}
