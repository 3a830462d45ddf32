package io.lapwing.lustre;

import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;

/** What the modules say of themselves: {@code health_check}. */
enum HealthCheck {
  HEALTHY,
  NOT_HEALTHY,
  /** An assertion failed: the threads that met it stand still until the machine is rebooted. */
  LBUG;

  static HealthCheck parse(KernelText text) throws ParseFailure {
    if (text.lines().contains("LBUG")) {
      return LBUG;
    }
    if (text.lines().contains("NOT HEALTHY")) {
      return NOT_HEALTHY;
    }
    if (text.lines().size() == 1 && text.lines().get(0).strip().equals("healthy")) {
      return HEALTHY;
    }
    throw text.failure(0, "neither healthy nor NOT HEALTHY nor LBUG");
  }
}
