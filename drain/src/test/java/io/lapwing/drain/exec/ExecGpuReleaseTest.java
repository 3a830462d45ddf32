package io.lapwing.drain.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.GpuRelease.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecGpuReleaseTest {

  private static final NodeName NODE = new NodeName("p5-1");

  @TempDir private Path dir;

  private GpuRelease release(String body) throws IOException {
    Path program = Scripts.bash(dir.resolve("release"), body);
    return new ExecGpuRelease(
        new SiteProgram(program, List.of(), Duration.ofMinutes(1)),
        node -> node.equals(NODE) ? State.CLOSING : State.UNKNOWN);
  }

  @Test
  void theProgramLearnsWhatToDoAndForHowLong() throws IOException {
    Path seen = dir.resolve("seen");
    GpuRelease release =
        release(
            "echo $LAPWING_DRAIN_ACTION $LAPWING_DRAIN_NODE \"for $LAPWING_DRAIN_FOR\" >>" + seen);

    assertThat(release.release(NODE, Duration.ofMinutes(10))).isEqualTo(CommandResult.ACCEPTED);
    assertThat(release.end(NODE)).isEqualTo(CommandResult.ACCEPTED);

    assertThat(seen).hasContent("release p5-1 for 600s\nend p5-1 for \n");
  }

  @Test
  void whetherTheGpusAreClosedSaysTheAgentAndNotTheProgram() throws IOException {
    assertThat(release("exit 0").state(NODE)).isEqualTo(State.CLOSING);
    assertThat(release("exit 0").state(new NodeName("p5-2"))).isEqualTo(State.UNKNOWN);
  }

  @Test
  void theExitCodeSaysWhatCameOfIt() throws IOException {
    assertThat(release("echo no such host >&2; exit 255").release(NODE, Duration.ofMinutes(1)))
        .isInstanceOf(Unclear.class);
    assertThat(release("exit 2").release(NODE, Duration.ofMinutes(1))).isInstanceOf(Refused.class);
  }
}
