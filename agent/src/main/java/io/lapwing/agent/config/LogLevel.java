package io.lapwing.agent.config;

/** The minimum severity of logged messages. */
public enum LogLevel {
  DEBUG("debug"),
  INFO("info"),
  WARN("warn"),
  ERROR("error");

  private final String word;

  LogLevel(String word) {
    this.word = word;
  }

  /** The value in flags, files and log messages. */
  @Override
  public String toString() {
    return word;
  }
}
