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
 * Merges the older half of the largest group of duplicates into its first event, repeatedly: counts
 * stay exact, the first occurrence stays known. If hardly any are duplicates, the oldest of the
 * commonest kind are dropped.
 */
final class Compaction {

  private static final int MIN_GROUP = 3;
  private static final int DROPPED_FRACTION = 8;

  /** Bytes of a line's names of members, time, UUID and numbers. */
  private static final int FAULT_BYTES = 320;

  private static final int OTHER_BYTES = 210;

  /** {@code \\u0000}. */
  private static final int ESCAPED_BYTES = 6;

  private final List<@Nullable Event> events;
  private final PriorityQueue<List<Integer>> groups =
      new PriorityQueue<>(Comparator.comparing((List<Integer> places) -> -places.size()));
  private int count;
  private long bytes;

  /** Compacts a list, oldest first, that does not change meanwhile. */
  Compaction(List<Event> all) {
    this.events = new ArrayList<>(all);
    this.count = all.size();
    Map<String, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      Event event = all.get(i);
      bytes += lineSize(event);
      String key = EventKind.of(event).groupKey(event);
      places.computeIfAbsent(key, unseen -> new ArrayList<>()).add(i);
    }
    groups.addAll(places.values());
  }

  /** At most so many events, whose lines take at most so many bytes, oldest first. */
  List<Event> downTo(int maxEvents, long maxBytes) {
    while (count > maxEvents || bytes > maxBytes) {
      List<Integer> places = groups.peek();
      if (places != null && places.size() >= MIN_GROUP) {
        groups.poll();
        groups.add(mergeOlderHalf(places));
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

  /** Returns the places that are left. */
  private List<Integer> mergeOlderHalf(List<Integer> places) {
    int half = (places.size() + 1) / 2;
    int first = places.get(0);
    Event merged = null;
    for (int place : places.subList(0, half)) {
      Event next = take(place);
      merged = merged == null || next == null ? next : merged(merged, next);
    }
    put(first, merged);
    List<Integer> rest = new ArrayList<>(places.subList(half, places.size()));
    rest.add(0, first);
    return rest;
  }

  private static Event merged(Event first, Event next) {
    if (first instanceof Event.Xid xid && next instanceof Event.Xid later) {
      return xid.merged(later);
    }
    if (first instanceof Event.SXid sxid && next instanceof Event.SXid later) {
      return sxid.merged(later);
    }
    if (first instanceof Event.DriverError error && next instanceof Event.DriverError later) {
      return error.merged(later);
    }
    if (first instanceof Event.HostFault fault && next instanceof Event.HostFault later) {
      return fault.merged(later);
    }
    if (first instanceof Event.EccGrowth growth && next instanceof Event.EccGrowth later) {
      return growth.merged(later);
    }
    if (first instanceof Event.KernelLogRead read && next instanceof Event.KernelLogRead later) {
      return new Event.KernelLogRead(later.at(), later.sequence(), read.lost() + later.lost());
    }
    return first;
  }

  private @Nullable Event take(int place) {
    Event event = events.get(place);
    if (event != null) {
      count--;
      bytes -= lineSize(event);
    }
    events.set(place, null);
    return event;
  }

  private void put(int place, @Nullable Event event) {
    if (event != null) {
      count++;
      bytes += lineSize(event);
    }
    events.set(place, event);
  }

  private void dropSome() {
    Map<Class<?>, List<Integer>> kinds = new HashMap<>();
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      if (event != null) {
        Class<?> kind = MinorFindings.isMinor(event) ? MinorFindings.class : event.getClass();
        kinds.computeIfAbsent(kind, unseen -> new ArrayList<>()).add(i);
      }
    }
    kinds.values().stream()
        .max(Comparator.comparing(List::size))
        .ifPresent(
            commonest ->
                commonest.subList(0, commonest.size() / DROPPED_FRACTION + 1).forEach(this::take));
  }

  /** The length of an event's line in bytes, estimated, rather too high than too low. */
  static int lineSize(Event event) {
    if (event instanceof Event.Xid xid) {
      return FAULT_BYTES + size(xid.message()) + size(xid.process());
    }
    if (event instanceof Event.SXid sxid) {
      return FAULT_BYTES + size(sxid.message());
    }
    if (event instanceof Event.DriverError error) {
      return FAULT_BYTES + size(error.message());
    }
    if (event instanceof Event.HostFault fault) {
      return FAULT_BYTES + size(fault.message()) + size(fault.process()) + size(fault.device());
    }
    if (event instanceof Event.FindingOpened opened) {
      return OTHER_BYTES + size(opened.what()) + size(opened.subject());
    }
    if (event instanceof Event.FindingEscalated escalated) {
      return OTHER_BYTES + size(escalated.subject());
    }
    if (event instanceof Event.MaintenanceStarted started) {
      return OTHER_BYTES + size(started.note());
    }
    return event instanceof Event.OperatorCleared cleared
        ? OTHER_BYTES + size(cleared.note()) + size(cleared.subject())
        : OTHER_BYTES;
  }

  private static int size(String text) {
    int size = 0;
    for (int i = 0; i < Math.min(text.length(), MemberWriter.MAX_MESSAGE); i++) {
      char c = text.charAt(i);
      size += c < ' ' || c > '~' || c == '"' || c == '\\' ? ESCAPED_BYTES : 1;
    }
    return size;
  }
}
