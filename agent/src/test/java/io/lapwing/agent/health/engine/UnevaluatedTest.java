package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.rules.gpu.NodeSnapshots;
import io.lapwing.gpu.HostEngineMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UnevaluatedTest {

  private static final String RULE = "efa_down";
  private static final String WHY = "no network device has lapwing_efa_up";

  private final AtomicInteger lookups = new AtomicInteger();
  private final Unevaluated unevaluated =
      new Unevaluated(
          view -> {
            lookups.incrementAndGet();
            return Map.of(RULE, WHY);
          });

  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  private Map<String, String> after(Duration pause, NodeSnapshots node) {
    now = now.plus(pause);
    NodeSnapshot view = node.view();
    return unevaluated.of(
        new NodeSnapshot(
            now,
            view.node(),
            view.driver(),
            view.agent(),
            view.gpus(),
            view.parts(),
            view.history(),
            view.trends()));
  }

  private static NodeSnapshots without(String reason) {
    return NodeSnapshots.healthy().value(0, HostEngineMetrics.ACTIVITY_INFO, 1, "none", reason);
  }

  @Test
  void inTheFirstMinuteNothingIsKnownToBeMissing() {
    assertThat(after(Duration.ZERO, without("paused")))
        .isEqualTo(Map.of(RULE, HealthReport.NO_DATA_YET));
    assertThat(after(Duration.ofSeconds(59), without("paused")))
        .isEqualTo(Map.of(RULE, HealthReport.NO_DATA_YET));
    assertThat(after(Duration.ofSeconds(1), without("paused")))
        .containsEntry(RULE, WHY)
        .containsKey(MissingActivity.NAME);
  }

  @Test
  void whatDcgmDoesNotAnswerIsListedAtOnceAndTheRulesOnceAMinute() {
    after(Duration.ZERO, NodeSnapshots.healthy());
    assertThat(after(Duration.ofMinutes(1), NodeSnapshots.healthy())).containsOnlyKeys(RULE);
    int known = lookups.get();
    assertThat(after(Duration.ofSeconds(15), without("paused")).get(MissingActivity.NAME))
        .endsWith("whose profiling another program has paused");
    assertThat(after(Duration.ofSeconds(15), without("stale")).get(MissingActivity.NAME))
        .endsWith("which has no new values");
    assertThat(after(Duration.ofSeconds(15), NodeSnapshots.healthy())).containsOnlyKeys(RULE);
    assertThat(lookups).hasValue(known);
    after(Duration.ofSeconds(16), NodeSnapshots.healthy());
    assertThat(lookups).hasValue(known + 1);
  }

  @Test
  void whileNoGpuAnswersNothingIsKnownToAnswerAgain() {
    after(Duration.ZERO, without("paused"));
    after(Duration.ofMinutes(1), without("paused"));
    NodeSnapshots silent = NodeSnapshots.healthy();
    for (int gpu = 0; gpu < 8; gpu++) {
      silent.state(gpu, PartStatus.State.HUNG);
    }
    assertThat(after(Duration.ofSeconds(15), silent)).containsKey(MissingActivity.NAME);
  }

  @Test
  void afterTheClockWasSetBackTheRulesAreLookedUpAgain() {
    after(Duration.ZERO, NodeSnapshots.healthy());
    after(Duration.ofHours(1), NodeSnapshots.healthy());
    int known = lookups.get();
    assertThat(after(Duration.ofMinutes(-30), NodeSnapshots.healthy())).containsEntry(RULE, WHY);
    assertThat(lookups).hasValue(known + 1);
  }

  @Test
  void aReportThatWasMadeIsNotChangedByTheNext() {
    after(Duration.ZERO, NodeSnapshots.healthy());
    Map<String, String> first = after(Duration.ofMinutes(1), without("paused"));
    Map<String, String> second = after(Duration.ofSeconds(15), NodeSnapshots.healthy());
    assertThat(first).containsKey(MissingActivity.NAME);
    assertThat(second).doesNotContainKey(MissingActivity.NAME);
  }
}
