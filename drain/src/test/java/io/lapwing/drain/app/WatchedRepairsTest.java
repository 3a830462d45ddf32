package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.Repairs.Progress;
import io.lapwing.drain.cluster.Repairs.Repair;
import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Policy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchedRepairsTest {

  private static final NodeState NODE = Nodes.node("n0001", "");

  private final DrainMetrics metrics = new DrainMetrics();

  private static CommandResult result(String word) {
    return switch (word) {
      case "refused" -> new Refused("why");
      case "unclear" -> new Unclear("why");
      case "not_possible" -> new NotPossible("why");
      case "not_yet" -> new NotYet("why");
      default -> CommandResult.ACCEPTED;
    };
  }

  @ParameterizedTest
  @CsvSource({"begun", "refused", "unclear", "not_possible", "not_yet"})
  void aRepairIsCountedByItsResult(String word) {
    CommandResult result = result(word);
    Repairs repairs = new WatchedRepairs(repair -> result, metrics);

    assertThat(repairs.begin(new Repair(Remedy.REPLACE_NODE, NODE, "ours", "xid_79")))
        .isSameAs(result);

    assertThat(
            metrics.text().lines().filter(line -> line.startsWith("lapwing_drain_repairs_total")))
        .containsExactly(
            "lapwing_drain_repairs_total{verb=\"replace\",result=\"" + word + "\",} 1.0");
  }

  @Test
  void theDriverSaysHowFarItIs() {
    FakeCluster cluster = new FakeCluster(1, Policy.DEFAULT);
    cluster.repairsFail = true;

    assertThat(new WatchedRepairs(cluster, metrics).progress(Remedy.REBOOT_NODE, NODE, "ours"))
        .isEqualTo(Progress.FAILED);
    assertThat(metrics.text()).doesNotContain("lapwing_drain_repairs_total{");
  }
}
