package io.lapwing.drain.app;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.SpellingHint;
import io.lapwing.common.log.Logging;
import io.lapwing.common.web.HeaderEncoders;
import io.lapwing.common.web.WebServer.ListenException;
import io.lapwing.drain.app.Configuration.Invocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The main class of {@code lapwing-drain.jar}. */
public final class Main {
  private static final int FAILED = 1;
  private static final int WRONG_USE = 2;

  /** As of the launcher: a status that no command has. */
  private static final int UNKNOWN = 64;

  private static final String USAGE =
      """
      usage: lapwing drain [<command>] [<args> ...]

      Takes failing nodes out of service, has them repaired and returns them.

        run [<flags>]          Run the controller (default). run --help lists the flags.
        status [--json]        Show the open remediations, and what each waits for.
        explain NODE [--json]  Show all that is known of a node, and its history.
        history [--since TIME] [--json]
                               Show what was decided, newest last.
        why JOB                Show what a job waits for.
        request NODE --action ACTION --reason TEXT [--urgency URGENCY]
                               Ask for a repair: reset_gpu, reboot_node or replace_node. Urgency: job_end (default),
                               next_checkpoint or now.
        pause --reason TEXT    Stop drains, ends of jobs, evictions, and repairs that have not begun.
        unpause                End that.
        replay --events NODE=FILE [<flags>]
                               Play recorded history through a policy, without a cluster. replay --help lists the flags.

      The commands, except replay, ask the controller over its Unix socket, or at --url URL with the credentials and certificates in
      --http.config.file FILE. They take the flags of run as well, such as --config.file.
      """;

  private Main() {}

  public static void main(String[] args) {
    int code = run(List.of(args), System.getenv());
    if (code != 0) {
      System.exit(code);
    }
  }

  static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  private static int run(List<String> args, Map<String, String> environment) {
    String command = args.isEmpty() || args.get(0).startsWith("-") ? "run" : args.get(0);
    List<String> rest =
        args.isEmpty() || !command.equals(args.get(0)) ? args : args.subList(1, args.size());
    try {
      if (args.equals(List.of("--help")) || args.equals(List.of("-h")) || command.equals("help")) {
        return print(USAGE);
      }
      if (command.equals("run")) {
        return controller(rest, environment);
      }
      boolean help = rest.contains("--help") || rest.contains("-h");
      if (Cli.COMMANDS.contains(command) && help) {
        return print(USAGE);
      }
      if (Cli.COMMANDS.contains(command)) {
        return new Cli(environment, System.out, System.err).run(command, rest);
      }
      if (command.equals(ReplayCommand.NAME)) {
        return print(ReplayCommand.run(rest, environment));
      }
      Set<String> known = new TreeSet<>(Cli.COMMANDS);
      known.addAll(Set.of("run", ReplayCommand.NAME));
      System.err.println(
          "lapwing drain: unknown command '" + command + "'" + SpellingHint.of(command, known));
      return UNKNOWN;
    } catch (ConfigException wrong) {
      return wrong(wrong.problems());
    } catch (ListenException taken) {
      return wrong(List.of(String.valueOf(taken.getMessage())));
    } catch (IOException failed) {
      System.err.println("lapwing drain: " + failed.getMessage());
      return FAILED;
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
      return FAILED;
    }
  }

  private static int controller(List<String> args, Map<String, String> environment)
      throws ConfigException, ListenException, IOException, InterruptedException {
    Invocation invocation = Configuration.read(args, environment, ParallelClusterHost.THIS);
    if (invocation instanceof Invocation.Print text) {
      return print(text.text());
    }
    if (invocation instanceof Invocation.Version) {
      return print("lapwing drain, version " + version());
    }
    if (invocation instanceof Invocation.Check check) {
      check.warnings().forEach(one -> System.err.println("lapwing drain: warning: " + one));
      ConfigException.throwAny(check.problems());
      return print(check.summary());
    }
    Configuration configuration = ((Invocation.Run) invocation).configuration();
    List<String> problems = new ArrayList<>(configuration.ofFiles());
    problems.addAll(NamedFiles.state(configuration.settings()));
    ConfigException.throwAny(problems);
    Logging.start(configuration.settings().log());
    if (configuration.settings().web().configFile().isEmpty()) {
      HeaderEncoders.withoutHttp2();
    }
    Program.run(configuration, args, environment);
    return 0;
  }

  private static int print(String text) {
    System.out.println(text.stripTrailing());
    return 0;
  }

  private static int wrong(List<String> problems) {
    problems.forEach(problem -> System.err.println("lapwing drain: " + problem));
    return WRONG_USE;
  }
}
