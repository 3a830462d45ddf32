package io.lapwing.drain.slurm;

import static io.lapwing.drain.slurm.FakeSlurm.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmJobEnderTest {

  @TempDir private Path dir;
  private FakeSlurm slurm;

  @BeforeEach
  void aSlurm() throws IOException {
    slurm = new FakeSlurm(dir);
    slurm.nodes(node("p5-1", "MIXED", ""));
  }

  private CommandResult end(String id) {
    return new SlurmJobEnder(slurm.commands())
        .end(new Job(id, "ada", Set.of(), 8), new NodeName("p5-1"), "lapwing-drain 1-1");
  }

  @Test
  void aBatchJobThatMayBeStartedAgainIsRequeued() throws IOException {
    slurm.jobs("4711|N/A|1|1|0|R|\n4712_3|N/A|2|1|0|R|\n");

    assertThat(end("4711")).isEqualTo(CommandResult.ACCEPTED);
    assertThat(end("4712_3")).isEqualTo(CommandResult.ACCEPTED);

    assertThat(slurm.changes())
        .containsExactly("requeue incomplete 4711", "requeue incomplete 4712_3");
  }

  @Test
  void whatSlurmWouldNotStartAgainIsNotEnded() throws IOException {
    slurm.jobs("1|N/A|0|1|0|R|\n2|N/A|1|0|0|R|\n");

    assertThat(end("1"))
        .isEqualTo(new Refused("job 1 is interactive: Slurm would not start it again"));
    assertThat(end("2"))
        .isEqualTo(
            new Refused("job 2 may not be started again (Requeue=0): only its owner can end it"));
    assertThat(end("ALL")).isEqualTo(new Refused("not the id of a job: ALL"));
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void aSuspendedJobIsNotEndedForItsMissingSteps() throws IOException {
    slurm.jobs("1|N/A|1|1|0|S|\n2|N/A|1|1|0|ST|\n");

    assertThat(end("1"))
        .isEqualTo(new Refused("job 1 is suspended, and makes no steps for that reason"));
    assertThat(end("2")).isInstanceOf(Refused.class);
    assertThat(slurm.changes()).isEmpty();
  }

  /** Slurm would start it again: also what its user has cancelled. */
  @Test
  void whatHasEndedAndHoldsItsNodesIsNotStartedAgain() throws IOException {
    slurm.jobs("1|N/A|1|1|0|CG|\n2|2|1|1|0|R|\n3|2|1|1|0|CG|\n");

    for (String id : new String[] {"1", "2"}) {
      assertThat(end(id))
          .isEqualTo(
              new Refused(
                  "job "
                      + id
                      + " has ended, or was cancelled, and its processes hang: it may not start again"));
    }
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void allComponentsOfAHeterogeneousJobCount() throws IOException {
    slurm.jobs("7|7|1|1|0|R|\n8|7|0|1|0|R|\n9|9|1|1|0|R|\n10|9|0|0|0|R|\n");

    assertThat(end("7")).isEqualTo(CommandResult.ACCEPTED);
    assertThat(end("9")).isInstanceOf(Refused.class);

    assertThat(slurm.changes()).containsExactly("requeue incomplete 7");
  }

  @Test
  void aJobThatHasLeftNeedsNoCommand() throws IOException {
    slurm.jobs("4711|N/A|1|1|0|R|\n");

    assertThat(end("4712")).isEqualTo(CommandResult.ACCEPTED);
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void nothingIsDoneWithoutAnAnswerOfSqueue() throws IOException {
    slurm.squeue("exit 1");
    assertThat(end("4711")).isInstanceOf(NotYet.class);
    slurm.squeue("echo '4711|N/A|1|yes|0|R|'");
    assertThat(end("4711")).isEqualTo(new NotYet("nothing was done: not a number: yes"));
    assertThat(slurm.changes()).isEmpty();
  }

  @Test
  void aRefusalIsToldFromSilenceAndFromARequeueThatTookEffect() throws IOException {
    slurm.jobs("4711|N/A|1|1|0|R|\n");
    slurm.change("echo 'Access/permission denied for job 4711' >&2; exit 1");
    assertThat(end("4711")).isInstanceOf(Refused.class);
    slurm.change("echo 'slurm_requeue error: Unable to contact slurm controller' >&2; exit 1");
    assertThat(end("4711")).isInstanceOf(Unclear.class);
    slurm.change("echo '4711|N/A|1|1|1|PD|' >jobs; echo 'Socket timed out' >&2; exit 1");
    assertThat(end("4711")).isEqualTo(CommandResult.ACCEPTED);
  }

  @Test
  void aRequeueThatHangsIsUnclear() throws IOException {
    slurm.jobs("4711|N/A|1|1|0|R|\n");
    slurm.change("sleep 100");

    assertThat(
            new SlurmJobEnder(slurm.commands(Duration.ofSeconds(2)))
                .end(new Job("4711", "ada", Set.of(), 8), new NodeName("p5-1"), "r"))
        .isInstanceOf(Unclear.class);
  }
}
