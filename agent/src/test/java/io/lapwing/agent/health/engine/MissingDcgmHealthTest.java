package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.rules.gpu.NodeSnapshots;
import io.lapwing.gpu.HostEngineMetrics;
import org.junit.jupiter.api.Test;

class MissingDcgmHealthTest {

  private final NodeSnapshots node = NodeSnapshots.healthy();

  @Test
  void withoutDcgmNothingIsMissing() {
    assertThat(MissingDcgmHealth.why(node.view())).isEmpty();
    node.value(0, HostEngineMetrics.HEALTH_INFO, 1, "dcgm", "");
    assertThat(MissingDcgmHealth.why(node.view())).isEmpty();
  }

  @Test
  void anEngineThatRefusesIsSaidWithItsReason() {
    node.value(0, HostEngineMetrics.HEALTH_INFO, 1, "none", "module_not_loaded");
    assertThat(MissingDcgmHealth.why(node.view()))
        .contains("DCGM's health watches have no results: module_not_loaded");
  }
}
