package io.lapwing.drain.decisions;

import io.lapwing.drain.remediation.Phase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The status of the controller.
 *
 * @param blind why the cluster cannot be read
 * @param stopped the kill switch, with its reason
 * @param open those that need a person first, then by phase and time
 * @param phases how many are in each phase; a phase without any is missing
 * @param calls why a person has to act, in words
 */
public record Status(
    Instant at,
    Optional<String> blind,
    Optional<String> stopped,
    List<OpenRemediation> open,
    Map<Phase, Integer> phases,
    List<String> calls) {

  public Status {
    open = List.copyOf(open);
    phases = Map.copyOf(phases);
    calls = List.copyOf(calls);
  }
}
