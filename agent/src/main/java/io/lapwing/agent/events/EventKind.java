package io.lapwing.agent.events;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The name of an event's kind, in the log, on the page and in the API: {@code gpu_lost}. */
public final class EventKind {

  private EventKind() {}

  public static String of(Event event) {
    return of(event.getClass());
  }

  static String of(Class<? extends Event> kind) {
    if (kind.equals(Event.SXid.class)) {
      return "sxid";
    }
    return kind.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }

  /** All of them, in alphabetical order. */
  public static List<String> all() {
    List<String> kinds = new ArrayList<>();
    for (Class<?> kind : Event.class.getPermittedSubclasses()) {
      kinds.add(of(kind.asSubclass(Event.class)));
    }
    Collections.sort(kinds);
    return List.copyOf(kinds);
  }
}
