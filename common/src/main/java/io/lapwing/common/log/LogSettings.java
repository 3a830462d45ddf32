package io.lapwing.common.log;

/** The minimum severity and the format of log messages. */
public record LogSettings(LogLevel level, LogFormat format) {

  /** Used until the settings are read. */
  public static final LogSettings DEFAULT = new LogSettings(LogLevel.INFO, LogFormat.LOGFMT);
}
