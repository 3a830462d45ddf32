package io.lapwing.common.config;

import io.lapwing.common.text.Redaction;
import java.util.List;

/** All problems of a configuration, one line each with its place, without secrets of URLs. */
public final class ConfigException extends Exception {
  private final List<String> problems;

  public ConfigException(List<String> problems) {
    super(Redaction.urls(String.join("\n", problems)));
    this.problems = problems.stream().map(Redaction::urls).toList();
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
