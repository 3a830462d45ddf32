package io.lapwing.drain.slurm;

import io.lapwing.common.text.TimeText;
import io.lapwing.drain.exec.Command;
import io.lapwing.drain.exec.Executables;
import io.lapwing.drain.exec.Outcome;
import io.lapwing.drain.exec.Outcome.Exited;
import io.lapwing.drain.exec.Outcome.NotStarted;
import io.lapwing.drain.exec.Outcome.TimedOut;
import io.lapwing.drain.exec.Outcome.TooMuchOutput;
import io.lapwing.drain.exec.ProgramRun;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Slurm's own programs: the interface that every version from 22.05 on has.
 *
 * @param environment such as {@code SLURM_CONF}
 * @param timeout of each run
 */
public record SlurmCommands(
    Path scontrol, Path squeue, Map<String, String> environment, Duration timeout) {

  /** As long as the answer for some 15,000 nodes or 100,000 jobs. */
  private static final int OUTPUT_LIMIT = 16 << 20;

  /**
   * slurm_strerror() of errors without an answer: the command may have been carried out, or soon
   * be.
   */
  private static final Pattern NO_ANSWER =
      Pattern.compile(
          "unable to contact|timed out|zero bytes|connect failure|communications? |transport"
              + "|message (?:receive|send)|in standby|temporarily|try again",
          Pattern.CASE_INSENSITIVE);

  public SlurmCommands {
    Map<String, String> all = new HashMap<>(environment);
    // Times are printed without a zone, and array task lists are cut at 64 characters otherwise.
    all.put("TZ", "UTC");
    all.put("SLURM_BITSTR_LEN", "0");
    environment = Map.copyOf(all);
  }

  /** Those of the host; empty if Slurm is not installed in any of the folders. */
  public static Optional<SlurmCommands> find(
      List<Path> folders, Map<String, String> environment, Duration timeout) {
    return Executables.find("scontrol", folders)
        .flatMap(
            scontrol ->
                Executables.find("squeue", folders)
                    .map(squeue -> new SlurmCommands(scontrol, squeue, environment, timeout)));
  }

  /** Has scontrol do something. */
  Outcome tell(List<String> arguments) {
    return run(scontrol, arguments);
  }

  /** The answer of scontrol to a question. */
  String askScontrol(String... arguments) throws UnreadableAnswer {
    return answer("scontrol", run(scontrol, List.of(arguments)));
  }

  /** The same, for a long answer that is written into memory of the caller. */
  void askScontrol(ByteArrayOutputStream output, String... arguments) throws UnreadableAnswer {
    answer("scontrol", ProgramRun.of(command(scontrol, List.of(arguments)), output));
  }

  /** The answer of squeue. */
  String askSqueue(String... arguments) throws UnreadableAnswer {
    return answer("squeue", run(squeue, List.of(arguments)));
  }

  private Outcome run(Path program, List<String> arguments) {
    return ProgramRun.of(command(program, arguments));
  }

  private Command command(Path program, List<String> arguments) {
    return new Command(program, arguments, environment, "", timeout, OUTPUT_LIMIT);
  }

  /** Errors on a successful run are warnings, of plugins for example. */
  private static String answer(String program, Outcome outcome) throws UnreadableAnswer {
    if (outcome instanceof Exited exited && exited.code() == 0) {
      return exited.output();
    }
    throw new UnreadableAnswer(program + " " + words(outcome));
  }

  /** The error, in words. */
  static String words(Outcome outcome) {
    if (outcome instanceof NotStarted not) {
      return "cannot be run: " + not.why();
    }
    if (outcome instanceof TimedOut late) {
      return "did not answer within " + TimeText.exact(late.timeout());
    }
    if (outcome instanceof TooMuchOutput much) {
      return "wrote more than " + much.limit() + " bytes";
    }
    Exited exited = (Exited) outcome;
    String said = exited.errors().isBlank() ? exited.output() : exited.errors();
    String line = said.strip().replaceAll("\\p{Cntrl}+", "; ");
    return "exited with " + exited.code() + ": " + line.substring(0, Math.min(line.length(), 300));
  }

  /** Whether a command was certainly not carried out: Slurm refused it, or did not receive it. */
  static boolean refused(Outcome outcome) {
    return outcome instanceof NotStarted || saysNo(outcome);
  }

  /** Whether Slurm refused, as opposed to not answering: for a query that is an answer. */
  static boolean saysNo(Outcome outcome) {
    return outcome instanceof Exited exited
        && exited.code() != 0
        && exited.code() < 128
        && !isNoAnswer(exited.errors() + exited.output());
  }

  /** Whether the message means that nothing is known of the command. */
  static boolean isNoAnswer(String message) {
    return NO_ANSWER.matcher(message).find();
  }
}
