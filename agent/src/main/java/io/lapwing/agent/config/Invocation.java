package io.lapwing.agent.config;

import java.util.List;
import java.util.Optional;

/** What a command line requests. */
public sealed interface Invocation {

  /** Run the agent. */
  record Run(Configuration configuration) implements Invocation {

    public Settings settings() {
      return configuration.settings();
    }

    /** One line each, for the log. */
    public List<String> warnings() {
      return configuration.warnings();
    }
  }

  /**
   * Check the configuration without starting the agent.
   *
   * @param configuration built from the valid values; empty if an option has none
   * @param problems of flags, variables and the file, one line each
   */
  record Check(Optional<Configuration> configuration, List<String> problems)
      implements Invocation {}

  /** Print a text to standard output and exit 0. */
  record Help(String text) implements Invocation {}

  /** Print the version to standard output and exit 0. */
  record Version() implements Invocation {}
}
