package io.lapwing.agent.health.rules.ec2;

import io.lapwing.agent.health.Values;
import io.lapwing.node.NodeMetrics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** An event that EC2 has scheduled; texts and times are empty if EC2 gives none. */
record ScheduledEvent(String id, String code, Optional<Instant> notBefore) {

  static List<ScheduledEvent> all(Values metadata) {
    List<ScheduledEvent> all = new ArrayList<>();
    for (List<String> labels : metadata.all(NodeMetrics.MAINTENANCE_EVENT).keySet()) {
      String id = labels.get(0);
      String code = labels.get(1);
      all.add(
          new ScheduledEvent(
              id, code, instant(metadata.get(NodeMetrics.MAINTENANCE_NOT_BEFORE, id, code))));
    }
    all.sort(
        Comparator.comparing((ScheduledEvent one) -> one.notBefore().orElse(Instant.MIN))
            .thenComparing(ScheduledEvent::code)
            .thenComparing(ScheduledEvent::id));
    return all;
  }

  static Optional<Instant> instant(OptionalDouble seconds) {
    return seconds.isPresent()
        ? Optional.of(Instant.ofEpochSecond((long) seconds.getAsDouble()))
        : Optional.empty();
  }

  /** {@code system-reboot not before 2026-03-01T12:00:00Z (instance-event-0d5...)}. */
  String words() {
    return code
        + notBefore.map(at -> " not before " + at).orElse(" at an unknown time")
        + (id.isEmpty() ? "" : " (" + id + ")");
  }
}
