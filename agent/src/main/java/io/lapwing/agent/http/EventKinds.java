package io.lapwing.agent.http;

import io.lapwing.agent.events.Event;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The kinds of event: the simple name of the record in snake case, {@code driver_loaded}. */
final class EventKinds {

  private static final Pattern WORD_BEGINS = Pattern.compile("(?<=[a-z])(?=[A-Z])");

  private EventKinds() {}

  static String of(Event event) {
    return of(event.getClass());
  }

  /** All of them, in alphabetical order. */
  static List<String> all() {
    return Arrays.stream(Event.class.getPermittedSubclasses())
        .map(EventKinds::of)
        .sorted()
        .toList();
  }

  private static String of(Class<?> kind) {
    return snake(kind.getSimpleName());
  }

  static String snake(String name) {
    return WORD_BEGINS.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT);
  }
}
