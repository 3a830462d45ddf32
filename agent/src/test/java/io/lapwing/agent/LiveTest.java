package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.web.LiveSnapshot;
import io.lapwing.agent.web.LiveSnapshot.LiveRow;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The node's own page with a complete agent. */
class LiveTest {

  private static List<LiveRow> rows(LiveSnapshot live, String table) {
    return live.tables().getOrDefault(table, List.of());
  }

  private static LiveRow gpu(LiveSnapshot live, int index) {
    return rows(live, "gpus").stream()
        .filter(row -> String.valueOf(index).equals(row.texts().get("gpu")))
        .findFirst()
        .orElseThrow();
  }

  private static LiveSnapshot live(TestAgent agent) {
    return agent.wiring().content().live().get();
  }

  private static boolean whole(LiveSnapshot live) {
    return rows(live, "gpus").size() == 8
        && rows(live, "gpus").stream().allMatch(row -> row.numbers().containsKey("sm_active"));
  }

  @Test
  void everyPartOfANodeHasARowWithItsValues(@TempDir Path dir) throws Exception {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
    node.setAll(Map.of("gpu.2.temperature", "71", "gpu.2.power", "512"));
    try (TestAgent agent = TestAgent.quick(node)) {
      await().atMost(TestAgent.PATIENCE).until(() -> live(agent), LiveTest::whole);
      await()
          .atMost(TestAgent.PATIENCE)
          .until(
              () ->
                  rows(live(agent), "efa").size() == 32 && !rows(live(agent), "lustre").isEmpty());
      LiveSnapshot live = live(agent);

      assertThat(gpu(live, 2).numbers())
          .containsEntry("up", 1.0)
          .containsEntry("celsius", 71.0)
          .containsEntry("nvlinks_up", 18.0)
          .containsKeys("watts", "watts_limit", "memory_used_mebibytes", "ecc_uncorrectable");
      assertThat(gpu(live, 2).texts()).containsKeys("UUID", "name", "serial");
      assertThat(rows(live, "efa"))
          .allSatisfy(
              row -> {
                assertThat(row.numbers()).containsKeys("tx_bytes", "rate_bytes_per_second");
                assertThat(row.counted()).isPresent();
              });
      assertThat(rows(live, "lustre_targets"))
          .allSatisfy(row -> assertThat(row.texts()).containsEntry("state", "full"));
      assertThat(live.problems()).isEmpty();
    }
  }

  @Test
  void countersHaveTheRateOfTheirLastTwoReadings(@TempDir Path dir) throws Exception {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
    try (TestAgent agent = TestAgent.quick(node)) {
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(rows(live(agent), "efa"))
                      .hasSize(32)
                      .allSatisfy(row -> assertThat(row.rates()).containsKeys("tx_bytes")));

      assertThat(rows(live(agent), "efa"))
          .allSatisfy(
              row ->
                  assertThat(row.rates())
                      .doesNotContainKeys("up", "rate_bytes_per_second")
                      .allSatisfy((name, rate) -> assertThat(rate).isNotNegative()));
    }
  }

  @Test
  void aGpuThatHangsHasNoValuesButTheDuration(@TempDir Path dir) throws Exception {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
    try (TestAgent agent = TestAgent.quick(node)) {
      await().atMost(TestAgent.PATIENCE).until(() -> live(agent), LiveTest::whole);
      node.set("gpu.3.block.*", "forever");
      try {
        await()
            .atMost(TestAgent.PATIENCE)
            .untilAsserted(
                () ->
                    assertThat(live(agent).problems())
                        .anySatisfy(
                            trouble -> {
                              assertThat(trouble.source()).isEqualTo("gpu3");
                              assertThat(trouble.state()).isEqualTo("hung");
                              assertThat(trouble.hungFor()).isPositive();
                            }));

        assertThat(gpu(live(agent), 3).numbers())
            .containsEntry("up", 0.0)
            .doesNotContainKeys("sm_active", "celsius", "watts");
        assertThat(gpu(live(agent), 4).numbers()).containsKey("sm_active");
      } finally {
        node.clear("gpu.3.block.*");
      }
    }
  }

  @Test
  void zerosAreLeftOutWhereALabelDistinguishesThem(@TempDir Path dir) throws Exception {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
    try (TestAgent agent = TestAgent.quick(node)) {
      await().atMost(TestAgent.PATIENCE).until(() -> live(agent), LiveTest::whole);
      assertThat(gpu(live(agent), 1).groups()).doesNotContainKey("xids");
      node.xid(1, 94);

      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(gpu(live(agent), 1).groups())
                      .hasEntrySatisfying(
                          "xids", xids -> assertThat(xids).containsExactly(Map.entry("94", 1.0))));
    }
  }
}
