package io.lapwing.drain.exec;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.common.text.FileProblem;
import io.lapwing.common.text.TimeText;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.exec.Outcome.Exited;
import io.lapwing.drain.exec.Outcome.NotStarted;
import io.lapwing.drain.exec.Outcome.TimedOut;
import io.lapwing.drain.exec.Outcome.TooMuchOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A program of the site. Its arguments are fixed; the facts come as JSON on standard input and as
 * environment variables. Exit code 0: done. 69 (EX_UNAVAILABLE): not possible with this node. 75
 * (EX_TEMPFAIL), a signal, a timeout: unknown. Any other: refused, with the last line of standard
 * error.
 */
public final class SiteProgram {

  private static final int UNAVAILABLE = 69;
  private static final int TEMPORARY_FAILURE = 75;
  private static final int SIGNAL = 128;
  private static final int OUTPUT_LIMIT = 256 << 10;
  private static final String PATH = "/usr/sbin:/usr/bin:/sbin:/bin";

  private final Path program;
  private final List<String> arguments;
  private final Duration timeout;

  /**
   * @throws IllegalArgumentException if the path is not absolute
   */
  public SiteProgram(Path program, List<String> arguments, Duration timeout) {
    if (!program.isAbsolute()) {
      throw new IllegalArgumentException("not an absolute path: " + program);
    }
    this.program = program;
    this.arguments = List.copyOf(arguments);
    this.timeout = timeout;
  }

  /** Runs it to its end. */
  CommandResult command(Map<String, String> facts) {
    return result(run(facts));
  }

  /** Why a program cannot be run; empty if it can. */
  public static Optional<String> problem(Path program) {
    try {
      if (Files.getPosixFilePermissions(program).contains(PosixFilePermission.OTHERS_WRITE)) {
        return Optional.of(program + " can be written by every user");
      }
    } catch (IOException e) {
      return Optional.of(program + " cannot be read: " + FileProblem.of(e));
    }
    return Files.isRegularFile(program) && Files.isExecutable(program)
        ? Optional.empty()
        : Optional.of(program + " is not an executable file");
  }

  /** Runs it to its end; one that every user can write is not started. */
  Outcome run(Map<String, String> facts) {
    Optional<String> problem = problem(program);
    if (problem.isPresent()) {
      return new NotStarted(problem.get());
    }
    Map<String, String> printable = new TreeMap<>();
    facts.forEach((name, value) -> printable.put(name, printable(value)));
    return ProgramRun.of(
        new Command(
            program, arguments, environment(printable), json(printable), timeout, OUTPUT_LIMIT));
  }

  /** A program may read lines. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  private static Map<String, String> environment(Map<String, String> facts) {
    Map<String, String> environment = new TreeMap<>(Map.of("PATH", PATH));
    facts.forEach(
        (name, value) -> environment.put("LAPWING_DRAIN_" + name.toUpperCase(Locale.ROOT), value));
    return environment;
  }

  private static String json(Map<String, String> facts) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    facts.forEach(json::put);
    return json + "\n";
  }

  CommandResult result(Outcome outcome) {
    if (outcome instanceof NotStarted not) {
      return new Refused(not.why());
    }
    if (outcome instanceof TimedOut late) {
      return new Unclear(program + " did not end within " + TimeText.exact(late.timeout()));
    }
    if (outcome instanceof TooMuchOutput much) {
      return new Unclear(program + " wrote more than " + much.limit() + " bytes");
    }
    Exited exited = (Exited) outcome;
    if (exited.code() == 0) {
      return CommandResult.ACCEPTED;
    }
    String why = program + " exited with " + exited.code() + lastLine(exited.errors());
    if (exited.code() == UNAVAILABLE) {
      return new NotPossible(why);
    }
    boolean unclear = exited.code() == TEMPORARY_FAILURE || exited.code() > SIGNAL;
    return unclear ? new Unclear(why) : new Refused(why);
  }

  private static String lastLine(String errors) {
    String text = errors.strip();
    String line = printable(text.substring(text.lastIndexOf('\n') + 1));
    return line.isEmpty() ? "" : ": " + line.substring(0, Math.min(line.length(), 200));
  }
}
