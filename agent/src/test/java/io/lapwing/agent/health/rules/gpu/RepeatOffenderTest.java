package io.lapwing.agent.health.rules.gpu;

import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.NOW;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.healthy;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.uuid;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RepeatOffenderTest {

  private final RuleRun rule = new RuleRun(new RepeatOffender());

  private static NodeSnapshots opened(NodeSnapshots node, int daysAgo, String action) {
    Instant at = NOW.minus(Duration.ofDays(daysAgo));
    return node.happened(
        new Event.FindingOpened(at, at, "xid_94", "gpu:" + uuid(3), "degraded", action, "XID 94"));
  }

  /** Score 6 on three days. */
  private static NodeSnapshots repaired() {
    NodeSnapshots node = opened(healthy(), 60, "reset_gpu");
    return opened(opened(node, 40, "replace_node"), 20, "reset_gpu");
  }

  @Test
  void theNextFaultOfAGpuWithAHistoryAsksForAReplacement() {
    Detection detection = rule.one(opened(repaired(), 1, "reset_gpu"));

    assertThat(detection.subject()).isEqualTo(new Subject.Gpu(uuid(3)));
    assertThat(detection.what())
        .isEqualTo(
            "had 4 episodes of hardware faults within 90 days (score 7), the last on 2026-02-28");
    assertThat(detection.disposition())
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(new RepeatOffender().spec().balanced()).isEqualTo(detection.disposition());
    assertThat(rule.oneForNvidia(opened(repaired(), 1, "reset_gpu")).disposition())
        .isEqualTo(Disposition.WATCH);
  }

  @Test
  void aHistoryAloneIsNoFinding() {
    rule.silent(repaired());
    rule.silent(opened(opened(healthy(), 60, "reset_gpu"), 1, "replace_node"));
  }

  @Test
  void whatIsOlderThanNinetyDaysIsForgotten() {
    NodeSnapshots node = opened(opened(healthy(), 95, "replace_node"), 91, "replace_node");
    rule.silent(opened(node, 1, "replace_node"));
  }

  @Test
  void anAcknowledgedHistoryIsForgotten() {
    rule.silent(
        opened(repaired(), 2, "reset_gpu")
            .happened(new Event.OperatorCleared(NOW, "", "gpu:" + uuid(3), "new board")));
  }

  @Test
  void theScoreIsAThreshold() {
    assertThat(
            new RuleRun(new RepeatOffender())
                .with("score", 1)
                .aws(opened(opened(healthy(), 60, "reset_gpu"), 1, "reset_gpu")))
        .hasSize(1);
  }
}
