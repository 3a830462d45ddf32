package io.lapwing.agent.config;

import java.util.List;

/** What a command line asks for. */
public sealed interface Invocation {

  /**
   * Run the agent.
   *
   * @param warnings one line each, to be logged
   */
  record Run(Settings settings, List<String> warnings) implements Invocation {}

  /** Print a text to standard output and exit 0. */
  record Help(String text) implements Invocation {}

  /** Print the version to standard output and exit 0. */
  record Version() implements Invocation {}
}
