package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Urgency;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VerdictTextTest {

  @Test
  void anActionHasItsTime() {
    assertThat(VerdictText.due(Action.RESET_GPU, Optional.of(Urgency.NOW)))
        .isEqualTo("reset_gpu, now");
    assertThat(VerdictText.due(Action.REPLACE_NODE, Optional.of(Urgency.JOB_END)))
        .isEqualTo("replace_node, when the job has ended");
  }

  @Test
  void thereIsNoTimeForWatchingOrNothing() {
    assertThat(VerdictText.due(Action.WATCH, Optional.of(Urgency.NOW)))
        .isEqualTo(Action.WATCH.text());
    assertThat(VerdictText.due(Action.NONE, Optional.of(Urgency.NOW))).isEqualTo("nothing to do");
  }

  @Test
  void aFindingOfAJobAsksNothingOfTheNode() {
    assertThat(VerdictText.due(MadeReports.failing(), Action.NONE, Optional.empty()))
        .isEqualTo("nothing to do on this node");
  }
}
