package io.lapwing.agent.config;

import java.util.List;
import java.util.Optional;

/** What a command line asks for. */
public sealed interface Invocation {

  /** Run the agent. */
  record Run(Configuration configuration) implements Invocation {

    public Settings settings() {
      return configuration.settings();
    }

    /** One line each, to be logged. */
    public List<String> warnings() {
      return configuration.warnings();
    }
  }

  /**
   * Say whether the agent would run, and as what.
   *
   * @param configuration with what is right of it; empty where that is too little to go on with
   * @param problems one line each
   */
  record Check(Optional<Configuration> configuration, List<String> problems)
      implements Invocation {}

  /** Print a text to standard output and exit 0. */
  record Help(String text) implements Invocation {}

  /** Print the version to standard output and exit 0. */
  record Version() implements Invocation {}
}
