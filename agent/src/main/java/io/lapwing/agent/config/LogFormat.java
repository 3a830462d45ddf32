package io.lapwing.agent.config;

/** How a record is written. */
public enum LogFormat {
  LOGFMT("logfmt"),
  JSON("json");

  private final String word;

  LogFormat(String word) {
    this.word = word;
  }

  /** The word in flags and files. */
  @Override
  public String toString() {
    return word;
  }
}
