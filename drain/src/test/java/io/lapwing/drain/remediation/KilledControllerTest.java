package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A controller that is killed at each entry of its journal. */
class KilledControllerTest extends ControllerCase {

  @Test
  void aControllerThatIsKilledAtAnyEntryDoesNothingTwiceAndForgetsNothing() throws IOException {
    int kills = 0;
    for (int entry = 1; entry <= 40; entry++) {
      for (boolean written : new boolean[] {false, true}) {
        kills += killed(entry, written);
      }
    }
    assertThat(kills).isGreaterThan(15);
  }

  private static int killed(int entry, boolean written) throws IOException {
    FakeCluster cluster = new FakeCluster(100, POLICY);
    MemoryJournal journal = new MemoryJournal();
    FakeNode node = cluster.node(1);
    cluster.runs("4711", List.of(node), Duration.ofHours(2), true);
    cluster.breaks(node, Remedy.REBOOT_NODE);
    journal.killAfter(entry, written);
    int kills = 0;
    boolean person = false;
    Controller controller = new Controller(POLICY, cluster.ports(), journal);
    for (int round = 0; round < 400; round++) {
      cluster.advance(ROUND);
      try {
        if (cluster.sick().contains(cluster.name(node))) {
          Request request =
              new Request(
                  "key",
                  cluster.name(node),
                  Remedy.RESET_GPU,
                  Urgency.NOW,
                  "xid_1",
                  "an alert",
                  "am",
                  cluster.now,
                  false);
          controller.request(request, cluster.now);
        }
        controller.round(cluster.now);
        if (controller.open().values().stream().anyMatch(o -> o.phase() == Phase.HANDED_OVER)) {
          cluster.heals(node);
        }
        person |= controller.waiting().values().stream().anyMatch(Controller.Waiting::person);
      } catch (MemoryJournal.Killed e) {
        kills++;
        controller = new Controller(POLICY, cluster.ports(), journal);
      }
    }
    assertThat(cluster.violations).as("killed at %d, %s", entry, written).isEmpty();
    assertThat(cluster.held()).as("killed at %d, %s", entry, written).isEmpty();
    assertThat(cluster.sick()).as("killed at %d, %s", entry, written).isEmpty();
    assertThat(controller.open()).as("killed at %d, %s", entry, written).isEmpty();
    boolean lost = journal.entries().stream().anyMatch(e -> e.what().startsWith("end job"));
    boolean done = cluster.commands.stream().anyMatch(command -> command.startsWith("end "));
    boolean began = journal.entries().stream().anyMatch(e -> e.what().startsWith("reboot: "));
    boolean rebooted = cluster.commands.stream().anyMatch(c -> c.startsWith("reboot_node "));
    assertThat(person)
        .as("a person is called if the end of the job or the repair was lost")
        .isEqualTo((lost && !done) || (began && !rebooted));
    return kills;
  }
}
