package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.rules.gpu.NodeSnapshots;
import io.lapwing.gpu.HostEngineMetrics;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MissingActivityTest {

  private final NodeSnapshots node = NodeSnapshots.healthy();

  private Optional<String> why() {
    return MissingActivity.why(node.view());
  }

  private void activity(int gpu, String source, String reason) {
    node.value(gpu, HostEngineMetrics.ACTIVITY_INFO, 1, source, reason);
  }

  @Test
  void gpusWithGpmOrWithDcgmLackNothing() {
    assertThat(why()).isEmpty();
    activity(0, "dcgm", "");
    assertThat(why()).isEmpty();
  }

  @Test
  void whatIsMissingIsSaidWithTheReasonOfMostGpus() {
    activity(0, "none", "dcgm_off");
    assertThat(why())
        .contains(
            "1 GPU has no GPM, so that SM, tensor and memory activity (DCGM_FI_PROF_*) needs DCGM,"
                + " which is off (--dcgm.engine)");
    activity(1, "none", "connection_not_valid");
    activity(2, "none", "connection_not_valid");
    assertThat(why())
        .contains(
            "3 GPUs have no GPM, so that SM, tensor and memory activity (DCGM_FI_PROF_*) needs"
                + " DCGM, which answers connection_not_valid");
  }
}
