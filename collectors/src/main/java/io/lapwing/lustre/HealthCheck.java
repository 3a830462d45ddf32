package io.lapwing.lustre;

import io.lapwing.linux.ParseFailure;

/** What the modules say of themselves: {@code health_check}. */
enum HealthCheck {
  HEALTHY,
  NOT_HEALTHY,
  /** An assertion failed: the threads that met it stand still until the machine is rebooted. */
  LBUG;

  static HealthCheck parse(String file, String text) throws ParseFailure {
    if (text.lines().anyMatch("LBUG"::equals)) {
      return LBUG;
    }
    if (text.lines().anyMatch("NOT HEALTHY"::equals)) {
      return NOT_HEALTHY;
    }
    if (text.strip().equals("healthy")) {
      return HEALTHY;
    }
    throw new ParseFailure(file, 1, "neither healthy nor NOT HEALTHY nor LBUG");
  }
}
