package io.lapwing.agent.events;

import java.util.ArrayList;
import java.util.List;

/**
 * An event on its way to the disk.
 *
 * @param more whether it is nothing without the next one: of what the kernel log told in one moment
 *     either all is kept or none, so that it is known from where to read on
 */
record Appended(Event event, boolean more) {

  /** These events, of which all are kept or none. */
  static List<Appended> together(List<? extends Event> events) {
    List<Appended> appended = new ArrayList<>(events.size());
    for (int i = 0; i < events.size(); i++) {
      appended.add(new Appended(events.get(i), i < events.size() - 1));
    }
    return appended;
  }
}
