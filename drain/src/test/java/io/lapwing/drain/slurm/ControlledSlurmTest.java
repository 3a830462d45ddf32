package io.lapwing.drain.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.health.HealthReader.Answered;
import io.lapwing.drain.health.HealthReader.Silent;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Ports;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller over a real Slurm of one node; time is virtual, and the agent is played. */
@Tag("slow")
class ControlledSlurmTest {

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path dir;

  private final MemoryJournal journal = new MemoryJournal();
  private Instant now = Instant.now();
  private Remedy needs = Remedy.REBOOT_NODE;
  private String bootId = "boot-1";
  private boolean answers = true;

  private HealthReader.Answer health(NodeName node) {
    boolean sick = needs != Remedy.NONE;
    return answers
        ? new Answered(
            new NodeHealth(
                sick ? Verdict.FAILING : Verdict.HEALTHY,
                needs,
                now,
                false,
                bootId,
                "",
                "xid_79",
                OptionalInt.of(8),
                Set.of(),
                Urgency.JOB_END,
                Set.of()))
        : new Silent("connection refused");
  }

  private Controller controller(SlurmCommands slurm) {
    return new Controller(
        Policy.DEFAULT.all(Mode.ACT),
        Ports.of(
            new SlurmScheduler(slurm, NvlinkDomains.NONE, SlurmPlatform.SLURM, Clock.systemUTC()),
            SlurmRepairs.of(SlurmPlatform.SLURM, slurm, Clock.systemUTC(), false, Map.of()),
            this::health,
            Optional::empty),
        journal);
  }

  private void rounds(Controller controller, BooleanSupplier until) {
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              now = now.plusSeconds(1);
              controller.round(now);
              return until.getAsBoolean();
            });
  }

  private Phase phase() {
    List<Entry> entries = journal.entries();
    return entries.get(entries.size() - 1).state().phase();
  }

  @Test
  void aFailingNodeIsDrainedRebootedAndReturnedWhileItsJobEndsByItself() throws IOException {
    assumeTrue(OneNodeSlurm.missing().isEmpty(), OneNodeSlurm.missing());
    try (OneNodeSlurm slurm = OneNodeSlurm.startAlone(dir)) {
      NodeName node = new NodeName(slurm.node);
      Controller controller = controller(slurm.commands());
      await().atMost(LIMIT).until(() -> slurm.scontrol("show", "node").contains("State=IDLE "));
      String job = slurm.submit("--gres=gpu:8");
      await().atMost(LIMIT).until(() -> slurm.run("squeue", "-h", "-t", "R").contains(job));
      assertThat(controller.request(request(node), now)).isEmpty();

      rounds(controller, () -> phase() == Phase.WAITING_FOR_JOBS);
      rounds(controller, () -> controller.waiting().containsKey(node));
      assertThat(slurm.run("squeue", "-h", "-t", "R")).contains(job);
      slurm.run("scancel", job);

      rounds(controller, () -> phase() == Phase.REPAIRING);
      answers = false;
      await().atMost(LIMIT).until(() -> slurm.rebooted(1));
      rounds(controller, () -> controller.waiting().containsKey(node));
      slurm.stopNode();
      slurm.startNode();
      answers = true;
      needs = Remedy.NONE;
      bootId = "boot-2";
      await()
          .atMost(LIMIT)
          .until(() -> slurm.scontrol("show", "node", slurm.node).contains("State=IDLE+DRAIN "));

      rounds(controller, () -> !controller.open().containsKey(node) || healthyLongEnough());
      rounds(controller, () -> controller.open().isEmpty());

      assertThat(phase()).isEqualTo(Phase.RETURNED);
      assertThat(slurm.scontrol("show", "node", slurm.node)).doesNotContain("Reason=");
      assertThat(slurm.rebooted(1)).isTrue();
    }
  }

  private boolean healthyLongEnough() {
    now = now.plus(Policy.DEFAULT.healthyFor());
    return true;
  }

  private Request request(NodeName node) {
    return new Request(
        "key", node, Remedy.REBOOT_NODE, Urgency.NOW, "xid_79", "xid", "test", now, false);
  }
}
