package io.lapwing.drain.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.Repairs.Progress;
import io.lapwing.drain.cluster.Repairs.Repair;
import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Policy;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RepairsByRemedyTest {

  @Test
  void asksTheDriverOfTheRemedyHowFarItIs() {
    FakeCluster cluster = new FakeCluster(20, Policy.DEFAULT);
    cluster.repairsFail = true;
    NodeState node = Nodes.node("n0001", "");
    Repairs repairs = new RepairsByRemedy(Map.of(Remedy.REBOOT_NODE, cluster));
    assertThat(repairs.progress(Remedy.REBOOT_NODE, node, "why")).isEqualTo(Progress.FAILED);
    assertThat(repairs.progress(Remedy.RESET_GPU, node, "why")).isEqualTo(Progress.UNKNOWN);
    assertThat(repairs.begin(new Repair(Remedy.RESET_GPU, node, "why", "xid_79")))
        .hasToString("NotPossible[why=no driver is configured for reset_gpu]");
  }
}
