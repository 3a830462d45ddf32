package io.lapwing.node;

import java.time.Instant;
import java.util.Optional;

/**
 * A scheduled or running maintenance event of this instance.
 *
 * @param id {@code instance-event-0d59937288b749b32}; empty if absent
 * @param code {@code instance-stop}, {@code instance-retirement}, {@code instance-reboot}, {@code
 *     system-reboot}, {@code system-maintenance}
 * @param state {@code active}; empty if absent
 * @param notBefore its earliest start; empty if absent or in an unknown format
 * @param description EC2's text
 */
public record MaintenanceEvent(
    String id, String code, String state, Optional<Instant> notBefore, String description) {

  /** Completed or canceled. */
  boolean over() {
    return state.equals("completed") || state.equals("canceled");
  }
}
