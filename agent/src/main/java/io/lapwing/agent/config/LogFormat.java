package io.lapwing.agent.config;

/** The output format of log messages. */
public enum LogFormat {
  LOGFMT("logfmt"),
  JSON("json");

  private final String word;

  LogFormat(String word) {
    this.word = word;
  }

  /** The value in flags and files. */
  @Override
  public String toString() {
    return word;
  }
}
