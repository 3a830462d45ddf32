package io.lapwing.agent.config;

/** The least severity that is logged. */
public enum LogLevel {
  DEBUG("debug"),
  INFO("info"),
  WARN("warn"),
  ERROR("error");

  private final String word;

  LogLevel(String word) {
    this.word = word;
  }

  /** The word in flags, files and records. */
  @Override
  public String toString() {
    return word;
  }
}
