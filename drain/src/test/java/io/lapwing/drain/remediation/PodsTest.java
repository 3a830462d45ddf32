package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.journal.Journal.Entry;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The pods without GPUs that a reboot would end. */
class PodsTest extends ControllerCase {

  @Test
  void otherPodsLeaveBeforeARebootAndNotBeforeAReset() {
    FakeNode node = cluster.node(1);
    cluster.pods(node, "ml/web", "ml/cache");
    sick(1, Remedy.RESET_GPU, Urgency.NOW, "xid_1");
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "reset_gpu", "resume");

    cluster.commands.clear();
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_2");
    rounds(Duration.ofMinutes(4));
    assertThat(verbs()).as("commanded once").containsExactly("drain", "evict");
    assertThat(waiting(node).why()).isEqualTo("is leaving: ml/cache, ml/web");
    assertThat(journal.entries())
        .extracting(Entry::what)
        .contains("has to leave before the reboot: ml/cache, ml/web", "evict ml/cache, ml/web");
    cluster.podsLeave(node);
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "evict", "reboot_node", "resume");
  }

  @Test
  void aPodThatMayNotLeaveIsAPersonsTaskAndKeepsTheNodeFromTheReboot() {
    FakeNode node = cluster.node(1);
    cluster.pods(node, "ml/web");
    cluster.podsBlocked = true;
    sick(1, Remedy.REPLACE_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(10));
    assertThat(waiting(node)).isEqualTo(new Controller.Waiting("not yet: its budget", false));
    rounds(Duration.ofHours(3));

    assertThat(waiting(node))
        .isEqualTo(new Controller.Waiting("overdue, a person has to end it: ml/web", true));
    assertThat(verbs()).containsOnly("drain", "evict");
    assertThat(verbs()).as("a minute apart, half an hour").hasSizeBetween(10, 31);
    stopped = Optional.of("ada: wait");
    rounds(ROUND.multipliedBy(2));
    assertThat(last(node).phase()).as("what stops harm stops it").isEqualTo(Phase.DRAINED);
    stopped = Optional.empty();
    cluster.podsBlocked = false;
    rounds(Duration.ofMinutes(3));
    cluster.podsLeave(node);
    rounds(Duration.ofHours(1));
    assertThat(verbs()).endsWith("evict", "replace_node", "resume");
  }

  @Test
  void aPodThatHangsWhileItLeavesIsRebootedAway() {
    FakeNode node = cluster.node(1);
    cluster.pods(node, "ml/web");
    sick(1, Remedy.REBOOT_NODE, Urgency.NOW, "xid_1");
    rounds(Duration.ofMinutes(25));
    assertThat(verbs()).containsExactly("drain", "evict");
    rounds(Duration.ofHours(1));
    assertThat(verbs()).containsExactly("drain", "evict", "reboot_node", "resume");
  }
}
