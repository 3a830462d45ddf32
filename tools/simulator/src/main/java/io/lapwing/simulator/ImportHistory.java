package io.lapwing.simulator;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Connection history of a target: the ring of {@code state}, and counters. */
final class ImportHistory {

  /** {@code IMP_STATE_HIST_LEN}. */
  private static final int KEPT = 16;

  private final Deque<String> entries = new ArrayDeque<>();
  private String current = "FULL";
  private int attempts;
  private int generation = 1;

  ImportHistory(Instant mounted) {
    enter("CONNECTING", mounted);
    enter("FULL", mounted);
  }

  /** Applies the states of a line; the current state is ignored. */
  void enter(List<String> states, Instant now) {
    if (!states.equals(List.of(current))) {
      states.forEach(state -> enter(state, now));
    }
  }

  private void enter(String state, Instant now) {
    entries.addLast(" - [ " + now.getEpochSecond() + ", " + state + " ]\n");
    if (entries.size() > KEPT) {
      entries.removeFirst();
    }
    current = state;
    switch (state) {
      case "CONNECTING" -> attempts++;
      case "EVICTED" -> generation++;
      default -> {}
    }
  }

  /** Whether the target answers requests. */
  boolean full() {
    return current.equals("FULL");
  }

  String current() {
    return current;
  }

  int attempts() {
    return attempts;
  }

  int generation() {
    return generation;
  }

  String text() {
    return "current_state: " + current + "\nstate_history:\n" + String.join("", entries);
  }
}
