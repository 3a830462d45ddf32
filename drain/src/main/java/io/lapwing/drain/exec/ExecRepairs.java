package io.lapwing.drain.exec;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.exec.Outcome.Exited;
import io.lapwing.drain.exec.Outcome.NotStarted;
import io.lapwing.drain.exec.Outcome.TimedOut;
import io.lapwing.drain.exec.Outcome.TooMuchOutput;
import io.lapwing.drain.health.Remedy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Repairs by a program of the site. Its arguments are fixed; the facts come as JSON on standard
 * input and as environment variables. Exit code 0: the repair has begun. 75 (EX_TEMPFAIL), a
 * signal, a timeout: nobody knows. Any other: refused, with the last line of standard error.
 */
public final class ExecRepairs implements Repairs {

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
  public ExecRepairs(Path program, List<String> arguments, Duration timeout) {
    if (!program.isAbsolute()) {
      throw new IllegalArgumentException("not an absolute path: " + program);
    }
    this.program = program;
    this.arguments = List.copyOf(arguments);
    this.timeout = timeout;
  }

  @Override
  public CommandResult begin(Remedy remedy, NodeState node, String reason) {
    try {
      if (Files.getPosixFilePermissions(program).contains(PosixFilePermission.OTHERS_WRITE)) {
        return new Refused(program + " can be written by every user");
      }
    } catch (IOException e) {
      return new Refused(program + " cannot be read: " + e.getMessage());
    }
    Map<String, String> facts = facts(remedy, node, reason);
    return result(
        ProgramRun.of(
            new Command(
                program, arguments, environment(facts), json(facts), timeout, OUTPUT_LIMIT)));
  }

  private static Map<String, String> facts(Remedy remedy, NodeState node, String reason) {
    Map<String, String> facts = new TreeMap<>();
    facts.put("remedy", remedy.word());
    facts.put("node", node.name().text());
    facts.put("reason", printable(reason));
    facts.put("instance_id", printable(node.instanceId()));
    facts.put("groups", printable(String.join(",", node.groups().stream().sorted().toList())));
    facts.put("gpus", Integer.toString(node.gpus()));
    return facts;
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

  private CommandResult result(Outcome outcome) {
    if (outcome instanceof NotStarted not) {
      return new Refused(not.why());
    }
    if (outcome instanceof TimedOut late) {
      return new Unclear(program + " did not end within " + late.timeout());
    }
    if (outcome instanceof TooMuchOutput much) {
      return new Unclear(program + " wrote more than " + much.limit() + " bytes");
    }
    Exited exited = (Exited) outcome;
    if (exited.code() == 0) {
      return CommandResult.ACCEPTED;
    }
    String why = program + " exited with " + exited.code() + lastLine(exited.errors());
    boolean unclear = exited.code() == TEMPORARY_FAILURE || exited.code() > SIGNAL;
    return unclear ? new Unclear(why) : new Refused(why);
  }

  private static String lastLine(String errors) {
    String text = errors.strip();
    String line = printable(text.substring(text.lastIndexOf('\n') + 1));
    return line.isEmpty() ? "" : ": " + line.substring(0, Math.min(line.length(), 200));
  }
}
