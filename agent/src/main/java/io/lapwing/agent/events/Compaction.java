package io.lapwing.agent.events;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Makes many events few: of those that are alike and came most often the older half is drawn
 * together into its first one, again and again. So counts stay whole, it is known since when
 * something is so, and the newest of everything stays as it is. Only where hardly any two are alike
 * the oldest of the commonest kind go.
 */
final class Compaction {

  private static final int LEAST_ALIKE = 3;
  private static final int PART_THAT_GOES = 8;

  private final List<@Nullable Event> events;
  private final PriorityQueue<List<Integer>> alike =
      new PriorityQueue<>(Comparator.comparing((List<Integer> places) -> -places.size()));
  private int count;
  private long bytes;

  /**
   * Of events that stay as they are.
   *
   * @param all oldest first
   */
  Compaction(List<Event> all) {
    this.events = new ArrayList<>(all);
    this.count = all.size();
    Map<String, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      bytes += LineSize.of(all.get(i));
      places.computeIfAbsent(Alike.of(all.get(i)), unseen -> new ArrayList<>()).add(i);
    }
    alike.addAll(places.values());
  }

  /** What is left, in its order: no more than so many, whose lines take no more than so much. */
  List<Event> downTo(int most, long mostBytes) {
    while (count > most || bytes > mostBytes) {
      List<Integer> places = alike.peek();
      if (places != null && places.size() >= LEAST_ALIKE) {
        alike.poll();
        alike.add(drawTogether(places));
      } else {
        dropSome();
      }
    }
    List<Event> rest = new ArrayList<>();
    for (Event event : events) {
      if (event != null) {
        rest.add(event);
      }
    }
    return rest;
  }

  /** The places that are left. */
  private List<Integer> drawTogether(List<Integer> places) {
    int half = (places.size() + 1) / 2;
    int first = places.get(0);
    Event together = null;
    for (int place : places.subList(0, half)) {
      Event next = take(place);
      together = together == null || next == null ? next : Alike.together(together, next);
    }
    put(first, together);
    List<Integer> rest = new ArrayList<>(places.subList(half, places.size()));
    rest.add(0, first);
    return rest;
  }

  private @Nullable Event take(int place) {
    Event event = events.get(place);
    if (event != null) {
      count--;
      bytes -= LineSize.of(event);
    }
    events.set(place, null);
    return event;
  }

  private void put(int place, @Nullable Event event) {
    if (event != null) {
      count++;
      bytes += LineSize.of(event);
    }
    events.set(place, event);
  }

  private void dropSome() {
    Map<Class<?>, List<Integer>> kinds = new HashMap<>();
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      if (event != null) {
        kinds.computeIfAbsent(event.getClass(), unseen -> new ArrayList<>()).add(i);
      }
    }
    kinds.values().stream()
        .max(Comparator.comparing(List::size))
        .ifPresent(
            commonest ->
                commonest.subList(0, commonest.size() / PART_THAT_GOES + 1).forEach(this::take));
  }
}
