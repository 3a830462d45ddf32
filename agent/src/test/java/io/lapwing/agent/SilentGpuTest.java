package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.metrics.TextPage;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GPUs that the driver counts and that have not answered since the agent started. */
class SilentGpuTest {

  private static List<String> findings(TextPage page) {
    return page.samples("lapwing_health_finding").stream()
        .map(sample -> sample.label("rule") + " " + sample.label("severity"))
        .toList();
  }

  @Test
  void theyAreFindingsOfTheNode(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge").withoutEfa());
    node.setAll(Map.of("gpu.3.block.nvmlDeviceGetUUID", "forever", "gpu.4.lost", "1"));

    try (TestAgent agent = TestAgent.quick(node)) {
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(findings(agent.page()))
                      .contains("gpu_hung unknown", "gpu_lost failing"));
    }
  }
}
