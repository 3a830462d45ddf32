package io.lapwing.agent.cli;

import io.lapwing.common.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;

/**
 * How a command ends that cannot do its work: every usage error a line, or the failure.
 *
 * @param usage the exit code of a usage error
 * @param failed the exit code of a failure and of an interruption
 */
public record CommandErrors(PrintStream err, int usage, int failed) {

  /** The command; returns its exit code. */
  public interface Body {
    int run() throws ConfigException, IOException, InterruptedException;
  }

  /** For commands whose exit codes are 1 for a failure and 2 for a usage error. */
  public static CommandErrors of(PrintStream err) {
    return new CommandErrors(err, 2, 1);
  }

  /** The exit code of the body; {@code command} is named before a failure. */
  public int run(String command, Body body) {
    try {
      return body.run();
    } catch (ConfigException wrong) {
      wrong.problems().forEach(problem -> err.println("lapwing: " + problem));
      return usage;
    } catch (IOException failure) {
      err.println("lapwing: " + command + ": " + failure.getMessage());
      return failed;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return failed;
    }
  }
}
