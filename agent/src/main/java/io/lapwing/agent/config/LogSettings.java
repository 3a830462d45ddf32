package io.lapwing.agent.config;

/** What is logged, and how a record looks. */
public record LogSettings(LogLevel level, LogFormat format) {

  /** What holds until the settings are read. */
  public static final LogSettings DEFAULT = new LogSettings(LogLevel.INFO, LogFormat.LOGFMT);
}
