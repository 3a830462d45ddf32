package io.lapwing.common.log;

import java.util.Locale;

public enum LogFormat {
  LOGFMT,
  JSON;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
