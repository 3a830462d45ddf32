package io.lapwing.node;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that EC2 is going to do to this instance, or is doing.
 *
 * @param id {@code instance-event-0d59937288b749b32}; empty where it has none
 * @param code {@code instance-stop}, {@code instance-retirement}, {@code instance-reboot}, {@code
 *     system-reboot}, {@code system-maintenance}
 * @param state {@code active}; empty where it is not told
 * @param notBefore when it begins at the earliest; empty where that is not told, or not in a form
 *     that is known
 * @param description EC2's own words
 */
public record MaintenanceEvent(
    String id, String code, String state, Optional<Instant> notBefore, String description) {

  /** Whether it is done with. */
  boolean over() {
    return state.equals("completed") || state.equals("canceled");
  }
}
