package io.lapwing.drain.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Repairs.Repair;
import io.lapwing.drain.health.Remedy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecRepairsTest {

  private static final NodeState NODE =
      new NodeState(
          new NodeName("p5-1"),
          Service.DRAINED,
          "lapwing-drain 1-1",
          "root",
          Set.of("q", "p"),
          true,
          "i-0abc\n\"x\"",
          Optional.empty(),
          8);

  @TempDir private Path dir;

  private CommandResult begin(String body, Duration timeout) throws IOException {
    Path program = Scripts.bash(dir.resolve("repair"), body);
    return new ExecRepairs(program, List.of("--site", "a b"), timeout)
        .begin(new Repair(Remedy.REBOOT_NODE, NODE, "lapwing-drain 1-1", "xid_79"));
  }

  private CommandResult begin(String body) throws IOException {
    return begin(body, Duration.ofMinutes(1));
  }

  @Test
  void theFactsComeByInputAndEnvironmentAndTheArgumentsAreFixed() throws IOException {
    Path seen = dir.resolve("seen");
    String body =
        "{ cat; printf '<%s>' \"$@\"; echo; /usr/bin/env | grep LAPWING | sort; } >" + seen;

    assertThat(begin(body)).isEqualTo(CommandResult.ACCEPTED);

    assertThat(seen)
        .hasContent(
            """
            {"gpus":"8","groups":"p,q","instance_id":"i-0abc \\"x\\"","node":"p5-1",\
            "reason":"lapwing-drain 1-1","remedy":"reboot_node","rule":"xid_79"}
            <--site><a b>
            LAPWING_DRAIN_GPUS=8
            LAPWING_DRAIN_GROUPS=p,q
            LAPWING_DRAIN_INSTANCE_ID=i-0abc "x"
            LAPWING_DRAIN_NODE=p5-1
            LAPWING_DRAIN_REASON=lapwing-drain 1-1
            LAPWING_DRAIN_REMEDY=reboot_node
            LAPWING_DRAIN_RULE=xid_79
            """);
  }

  @Test
  void theExitCodeSaysWhatCameOfIt() throws IOException {
    String program = dir.resolve("repair").toString();
    assertThat(begin("echo first >&2; echo no such host >&2; exit 1"))
        .isEqualTo(new Refused(program + " exited with 1: no such host"));
    assertThat(begin("echo needs a reboot >&2; exit 69"))
        .isEqualTo(new NotPossible(program + " exited with 69: needs a reboot"));
    assertThat(begin("exit 75")).isEqualTo(new Unclear(program + " exited with 75"));
    assertThat(begin("kill -TERM $$")).isEqualTo(new Unclear(program + " exited with 143"));
  }

  @Test
  void aTimeoutAndEndlessOutputAreUnclear() throws IOException {
    assertThat(begin("sleep 100", Duration.ofSeconds(1)))
        .isInstanceOfSatisfying(
            Unclear.class, unclear -> assertThat(unclear.why()).contains("within 1s"));
    assertThat(begin("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"))
        .isInstanceOf(Unclear.class);
  }

  @Test
  void aProgramThatEveryUserCanWriteIsNotRun() throws IOException {
    Path program = Scripts.bash(dir.resolve("repair"), "exit 0");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxrwxrwx"));
    ExecRepairs repairs = new ExecRepairs(program, List.of(), Duration.ofMinutes(1));

    assertThat(repairs.begin(new Repair(Remedy.RESET_GPU, NODE, "r", "")))
        .isEqualTo(new Refused(program + " can be written by every user"));
  }

  @Test
  void aMissingProgramIsRefusedAndARelativeOneIsNoneAtAll() {
    Path missing = dir.resolve("missing");
    assertThat(
            new ExecRepairs(missing, List.of(), Duration.ofMinutes(1))
                .begin(new Repair(Remedy.RESET_GPU, NODE, "r", "")))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.why()).contains(missing.toString()));
    assertThatThrownBy(() -> new ExecRepairs(Path.of("repair"), List.of(), Duration.ofMinutes(1)))
        .hasMessage("not an absolute path: repair");
  }
}
