package io.lapwing.node;

import java.time.Instant;
import java.util.Optional;

/**
 * A scheduled or running maintenance event of this instance. The code is {@code instance-stop},
 * {@code instance-retirement}, {@code instance-reboot}, {@code system-reboot} or {@code
 * system-maintenance}; absent texts are empty, as is a start in an unknown format.
 */
public record MaintenanceEvent(
    String id, String code, String state, Optional<Instant> notBefore, String description) {

  /** Completed or canceled. */
  boolean over() {
    return state.equals("completed") || state.equals("canceled");
  }
}
