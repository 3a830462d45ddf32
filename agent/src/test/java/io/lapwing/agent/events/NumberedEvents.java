package io.lapwing.agent.events;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Events with numbers. */
final class NumberedEvents {
  private static final Instant FIRST = Instant.parse("2026-11-20T11:20:00Z");

  private NumberedEvents() {}

  static Event one(int number) {
    return new Event.GpuReset(FIRST.plusMillis(number), "GPU-" + number % 8, "reset " + number);
  }

  /** Those from one number to before another. */
  static List<Event> range(int from, int to) {
    return IntStream.range(from, to).mapToObj(NumberedEvents::one).toList();
  }

  static List<Integer> numbers(List<Event> events) {
    return events.stream()
        .map(event -> Integer.parseInt(((Event.GpuReset) event).sign().substring(6)))
        .toList();
  }
}
