package io.lapwing.drain.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.remediation.SiteTest;
import io.lapwing.drain.remediation.SiteTest.Failed;
import io.lapwing.drain.remediation.SiteTest.NotRun;
import io.lapwing.drain.remediation.SiteTest.Result;
import io.lapwing.drain.remediation.SiteTest.Running;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecSiteTestTest {

  private static final NodeName NODE = new NodeName("p5-1");

  @TempDir private Path dir;
  private final Queue<Runnable> begun = new ArrayDeque<>();
  private Instant now = Instant.EPOCH;

  private SiteTest test(Duration timeout) {
    return new ExecSiteTest(
        new SiteProgram(dir.resolve("test"), List.of(), timeout), begun::add, () -> now);
  }

  private SiteTest test(String body) throws IOException {
    Path unused = Scripts.bash(dir.resolve("test"), body);
    return test(Duration.ofMinutes(1));
  }

  private Result ended(SiteTest test) {
    assertThat(test.result(NODE, "1-1-1")).isEqualTo(new Running());
    begun.remove().run();
    return test.result(NODE, "1-1-1");
  }

  @Test
  void eachRepairIsTestedOnceWithTheNodeInTheEnvironment() throws IOException {
    Path seen = dir.resolve("seen");
    SiteTest test = test("echo $LAPWING_DRAIN_NODE $LAPWING_DRAIN_ATTEMPT $# >>" + seen);

    assertThat(test.result(NODE, "1-1-1")).isEqualTo(new Running());
    assertThat(test.result(NODE, "1-1-1")).isEqualTo(new Running());
    assertThat(begun).hasSize(1);
    begun.remove().run();
    assertThat(test.result(NODE, "1-1-1")).isEqualTo(SiteTest.PASSED);
    assertThat(test.result(NODE, "1-1-2")).isEqualTo(new Running());
    begun.remove().run();

    assertThat(seen).hasContent("p5-1 1-1-1 0\np5-1 1-1-2 0\n");
    assertThat(begun).isEmpty();
  }

  /** A node that was not seen for a moment begins a new time of health, with a test of its own. */
  @Test
  void oneTestRunsOnANodeAtATime() throws IOException {
    SiteTest test = test("exit 0");

    assertThat(test.result(NODE, "1-1-1")).isEqualTo(new Running());
    assertThat(test.result(NODE, "1-1-2")).isEqualTo(new Running());
    assertThat(test.result(new NodeName("p5-2"), "2-1-1")).isEqualTo(new Running());
    assertThat(begun).hasSize(2);
    begun.remove().run();
    assertThat(test.result(NODE, "1-1-2")).isEqualTo(new Running());
    assertThat(begun).hasSize(2);
  }

  @Test
  void anExitCodeOfItsOwnMeansThatTheNodeFails() throws IOException {
    assertThat(ended(test("echo GPU 3 is slow >&2; exit 1")))
        .isEqualTo(new Failed(dir.resolve("test") + " exited with 1: GPU 3 is slow"));
  }

  @Test
  void aTestThatHangsSaysNothingOfTheNode() throws IOException {
    Path unused = Scripts.bash(dir.resolve("test"), "sleep 100");
    assertThat(ended(test(Duration.ofSeconds(1))))
        .as("the network between may be at fault")
        .isInstanceOf(NotRun.class);
  }

  /** As where the process may have no more threads. */
  @Test
  void aTestForWhichThereIsNoThreadIsRunAgain() throws IOException {
    Path unused = Scripts.bash(dir.resolve("test"), "exit 0");
    boolean[] full = {true};
    SiteTest test =
        new ExecSiteTest(
            new SiteProgram(dir.resolve("test"), List.of(), Duration.ofMinutes(1)),
            work -> {
              if (full[0]) {
                throw new InternalError("no thread");
              }
              begun.add(work);
            },
            () -> now);
    NotRun noThread = new NotRun("it could not be begun: java.lang.InternalError: no thread");
    assertThat(test.result(NODE, "1-1-1")).isEqualTo(noThread);
    full[0] = false;
    assertThat(test.result(NODE, "1-1-1")).isEqualTo(noThread);
    now = now.plus(Duration.ofMinutes(5));
    assertThat(ended(test)).isEqualTo(SiteTest.PASSED);
  }

  @Test
  void aTestThatEndsByAnExceptionIsRunAgain() throws IOException {
    Path unused = Scripts.bash(dir.resolve("test"), "exit 0");
    SiteProgram broken =
        new SiteProgram(dir.resolve("test"), List.of(), Duration.ofSeconds(Long.MAX_VALUE));
    SiteTest test = new ExecSiteTest(broken, begun::add, () -> now);
    assertThat(ended(test))
        .isEqualTo(new NotRun("it could not be run: java.lang.ArithmeticException: long overflow"));
    now = now.plus(Duration.ofMinutes(5));
    assertThat(ended(test)).isInstanceOf(NotRun.class);
  }

  @Test
  void aTestThatCannotBeRunSaysNothingOfTheNodeAndIsRunAgain() throws IOException {
    assertThat(ended(test(Duration.ofMinutes(1)))).isInstanceOf(NotRun.class);

    SiteTest test = test("exit 75");
    assertThat(ended(test)).isInstanceOf(NotRun.class);
    assertThat(begun).isEmpty();
    Path unused = Scripts.bash(dir.resolve("test"), "exit 0");
    now = now.plus(Duration.ofMinutes(5));
    assertThat(ended(test)).isEqualTo(SiteTest.PASSED);
  }
}
