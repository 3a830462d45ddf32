package io.lapwing.drain.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lapwing.drain.exec.Outcome.Exited;
import io.lapwing.drain.exec.Outcome.NotStarted;
import io.lapwing.drain.exec.Outcome.TimedOut;
import io.lapwing.drain.exec.Outcome.TooMuchOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramRunTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  /** Long enough for bash to get to where it hangs, on a busy machine. */
  private static final Duration SHORT = Duration.ofSeconds(5);

  @TempDir private Path dir;

  private Command command(String body, Duration timeout, String... arguments) throws IOException {
    Path program = Scripts.bash(dir.resolve("program"), body);
    return new Command(program, List.of(arguments), Map.of("ONE", "1"), "in\nput", timeout, 1000);
  }

  private Outcome run(String body, Duration timeout, String... arguments) throws IOException {
    return ProgramRun.of(command(body, timeout, arguments));
  }

  @Test
  void outputErrorsAndExitCodeAreKept() throws IOException {
    assertThat(run("echo out; echo err >&2; exit 3", LONG))
        .isEqualTo(new Exited(3, "out\n", "err\n"));
  }

  @Test
  void argumentsReachTheProgramAsTheyAre() throws IOException {
    assertThat(run("printf '<%s>' \"$@\"", LONG, "a b", "$(id)", "\"q\"", "; rm -rf /tmp/x", ""))
        .isEqualTo(new Exited(0, "<a b><$(id)><\"q\"><; rm -rf /tmp/x><>", ""));
  }

  @Test
  void inputIsReadAndTheEnvironmentIsNotInherited() throws IOException {
    assertThat(
            run("cat; /usr/bin/env | /usr/bin/sort | /bin/grep -v '^_\\|PWD\\|SHLVL'; pwd", LONG))
        .isEqualTo(new Exited(0, "in\nputLC_ALL=C\nONE=1\n/\n", ""));
  }

  @Test
  void inputThatIsNotReadDoesNoHarm() throws IOException {
    Path program = Scripts.bash(dir.resolve("program"), "exec 0<&-; echo done");
    String input = "x".repeat(60_000);
    assertThat(ProgramRun.of(new Command(program, List.of(), Map.of(), input, LONG, 1000)))
        .isEqualTo(new Exited(0, "done\n", ""));
  }

  @Test
  void aProgramThatHangsIsKilledWithItsChildren() throws IOException {
    Path child = dir.resolve("child");
    Outcome outcome =
        run("trap '' TERM; echo stuck >&2; sleep 1000 & echo $! >" + child + "; wait; wait", SHORT);

    assertThat(outcome).isEqualTo(new TimedOut(SHORT, "stuck\n"));
    long pid = Long.parseLong(Files.readString(child).strip());
    await().until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void aChildThatKeepsTheOutputOpenDoesNotHoldTheCaller() throws IOException {
    Path child = dir.resolve("child");
    Outcome outcome = run("echo all; sleep 1000 & echo $! >" + child, LONG);
    ProcessHandle.of(Long.parseLong(Files.readString(child).strip()))
        .ifPresent(ProcessHandle::destroyForcibly);

    assertThat(outcome).isEqualTo(new Exited(0, "all\n", ""));
  }

  @Test
  void aProgramThatWritesWithoutEndIsKilled() throws IOException {
    assertThat(run("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxx; done", LONG))
        .isEqualTo(new TooMuchOutput(1000));
    assertThat(run("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxx; done >&2", LONG))
        .isEqualTo(new TooMuchOutput(1000));
  }

  @Test
  void muchMoreThanAPipeHoldsIsReadInFull() throws IOException {
    Path program = Scripts.bash(dir.resolve("program"), "/usr/bin/head -c 1000000 /dev/zero");
    Outcome outcome = ProgramRun.of(new Command(program, List.of(), Map.of(), "", LONG, 1_000_000));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Exited.class, exited -> assertThat(exited.output()).hasSize(1_000_000));
  }

  @Test
  void aProgramThatIsMissingOrMayNotBeRunWasNotStarted() throws IOException {
    Path missing = dir.resolve("missing");
    Path plain = Files.writeString(dir.resolve("plain"), "x");
    for (Path program : List.of(missing, plain)) {
      assertThat(ProgramRun.of(new Command(program, List.of(), Map.of(), "", LONG, 10)))
          .isInstanceOfSatisfying(
              NotStarted.class, not -> assertThat(not.why()).contains(program.toString()));
    }
  }

  @Test
  void aSignalIsAnExitCodeAbove128() throws IOException {
    assertThat(run("kill -KILL $$", LONG)).isEqualTo(new Exited(137, "", ""));
  }

  @Test
  void aRelativeProgramAndEndlessInputAreRefused() {
    assertThatThrownBy(() -> new Command(Path.of("scontrol"), List.of(), Map.of(), "", LONG, 10))
        .hasMessage("not an absolute path: scontrol");
    assertThatThrownBy(() -> new Command(dir, List.of(), Map.of(), "x".repeat(70_000), LONG, 10))
        .hasMessageContaining("bytes of input");
  }

  @Test
  void programsAreLookedForInTheseFoldersOnly() throws IOException {
    Path program = Scripts.bash(dir.resolve("scontrol"), "");

    assertThat(Executables.find("scontrol", List.of(dir.resolve("no"), dir))).contains(program);
    assertThat(Executables.find("sh", List.of(dir))).isEmpty();
  }
}
