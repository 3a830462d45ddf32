package io.lapwing.agent.health;

import io.lapwing.agent.events.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The events that rules use, oldest first. */
public record History(List<Event> events) {

  public static final History EMPTY = new History(List.of());

  public History {
    events = List.copyOf(events);
  }

  public <T extends Event> List<T> of(Class<T> kind, Predicate<T> which) {
    List<T> found = new ArrayList<>(0); // no stream: rules call it in each evaluation
    for (Event event : events) {
      if (kind.isInstance(event) && which.test(kind.cast(event))) {
        found.add(kind.cast(event));
      }
    }
    return found;
  }

  /** Whether there is an event of this kind. */
  public boolean has(Class<? extends Event> kind) {
    for (Event event : events) {
      if (kind.isInstance(event)) {
        return true;
      }
    }
    return false;
  }

  /** The newest matching event of one kind. */
  public <T extends Event> Optional<T> last(Class<T> kind, Predicate<T> which) {
    for (int i = events.size() - 1; i >= 0; i--) {
      if (kind.isInstance(events.get(i)) && which.test(kind.cast(events.get(i)))) {
        return Optional.of(kind.cast(events.get(i)));
      }
    }
    return Optional.empty();
  }

  public Optional<Instant> lastBoot() {
    return last(Event.Booted.class, boot -> true).map(Event::at);
  }

  /** When a GPU last {@linkplain Event#restarts restarted}. */
  public Optional<Instant> lastReset(String gpu) {
    return events.stream()
        .filter(event -> event.restarts(gpu))
        .map(Event::at)
        .max(Instant::compareTo);
  }

  /** Whether a GPU restarted since rows of its memory were remapped last. */
  public boolean isResetSinceRemap(String gpu) {
    return last(Event.RowsRemapped.class, rows -> rows.gpu().equals(gpu))
        .flatMap(rows -> lastReset(gpu).filter(rows.at()::isBefore))
        .isPresent();
  }
}
