package io.lapwing.common.config;

import java.util.List;

/** All problems of a configuration, one line each with its place. */
public final class ConfigException extends Exception {
  private final List<String> problems;

  public ConfigException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** Throws the problems, if there are any. */
  public static void throwAny(List<String> problems) throws ConfigException {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  public List<String> problems() {
    return problems;
  }
}
