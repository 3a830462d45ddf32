package io.lapwing.agent.events;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What another agent recorded in the directory while this one could not write to it. Both read the
 * same kernel log and the same GPUs, so that most of it is in this agent's history too.
 */
final class MissedEvents {

  /** Two agents detect the same thing within one evaluation of each other. */
  private static final Duration SAME = Duration.ofSeconds(10);

  private MissedEvents() {}

  private record Kind(EventKind kind, String group) {
    static Kind of(Event event) {
      EventKind kind = EventKind.of(event);
      return new Kind(kind, kind.groupKey(event));
    }
  }

  /** Those recorded events of whose kind and subject the history has none within 10 s. */
  static List<Event> of(List<Event> recorded, List<Event> history) {
    Map<Kind, List<Instant>> known = new HashMap<>();
    history.forEach(
        event -> known.computeIfAbsent(Kind.of(event), kind -> new ArrayList<>()).add(event.at()));
    return recorded.stream()
        .filter(
            event ->
                known.getOrDefault(Kind.of(event), List.of()).stream()
                    .noneMatch(at -> Duration.between(at, event.at()).abs().compareTo(SAME) <= 0))
        .toList();
  }

  /** The history with those that it has not, each before the first one of a later time. */
  static List<Event> merged(List<Event> history, List<Event> missed) {
    List<Event> all = new ArrayList<>(history);
    Set<Event> known = new HashSet<>(missed.isEmpty() ? List.of() : history);
    for (Event one : missed) {
      if (known.add(one)) {
        int at = 0;
        while (at < all.size() && !all.get(at).at().isAfter(one.at())) {
          at++;
        }
        all.add(at, one);
      }
    }
    return all;
  }
}
