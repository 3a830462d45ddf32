package io.lapwing.agent.events;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The events of findings about programs of users, and of severity info: any user who may start a
 * training loop can cause thousands of them. They have a separate share of the history, from which
 * the oldest are dropped, so that those of hardware stay.
 */
final class MinorFindings {

  static final int MAX_EVENTS = 500;

  /** A third of the history. */
  static final long MAX_BYTES = 256 << 10;

  private static final Set<String> KINDS = Set.of("training:", "nccl:", "inference:");
  private static final String INFO = "info";

  private MinorFindings() {}

  /** By the event alone: the end of an info finding of hardware counts as hardware's. */
  static boolean isMinor(Event event) {
    if (event instanceof Event.FindingOpened opened) {
      return isOfUsers(opened.subject()) || opened.severity().equals(INFO);
    }
    if (event instanceof Event.FindingEscalated escalated) {
      return isOfUsers(escalated.subject()) || escalated.severity().equals(INFO);
    }
    return event instanceof Event.FindingClosed closed && isOfUsers(closed.subject());
  }

  private static boolean isOfUsers(String subject) {
    return KINDS.stream().anyMatch(subject::startsWith);
  }

  /** These events without the oldest minor ones, if there are more than the limits allow. */
  static List<Event> trim(List<Event> all) {
    List<Event> minor = minor(all);
    long bytes = minor.stream().mapToLong(Compaction::lineSize).sum();
    if (minor.size() <= MAX_EVENTS && bytes <= MAX_BYTES) {
      return all;
    }
    // To three quarters, so that it is not due again at once.
    Set<Event> dropped = new HashSet<>();
    int left = minor.size();
    for (int i = 0; left > MAX_EVENTS * 3 / 4 || bytes > MAX_BYTES * 3 / 4; i++) {
      dropped.add(minor.get(i));
      bytes -= Compaction.lineSize(minor.get(i));
      left--;
    }
    List<Event> rest = new ArrayList<>(all);
    rest.removeIf(dropped::contains);
    return rest;
  }

  /** What opened as info and escalated is restored after a restart, so its start is kept. */
  private static List<Event> minor(List<Event> all) {
    Set<List<String>> escalated = new HashSet<>();
    for (Event event : all) {
      if (event instanceof Event.FindingEscalated one && !isMinor(one)) {
        escalated.add(List.of(one.rule(), one.subject()));
      }
    }
    List<Event> minor = new ArrayList<>();
    Set<List<String>> open = new HashSet<>();
    for (Event event : all) {
      if (event instanceof Event.FindingOpened one) {
        List<String> key = List.of(one.rule(), one.subject());
        if (isMinor(one) && !escalated.contains(key)) {
          minor.add(one);
          open.add(key);
        }
      } else if (event instanceof Event.FindingClosed one) {
        if (open.remove(List.of(one.rule(), one.subject())) || isMinor(one)) {
          minor.add(one);
        }
      } else if (isMinor(event)) {
        minor.add(event);
      }
    }
    return minor;
  }
}
