package io.lapwing.common.log;

import java.util.Locale;

public enum LogLevel {
  DEBUG,
  INFO,
  WARN,
  ERROR;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
