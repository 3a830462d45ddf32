package io.lapwing.lustre;

import io.lapwing.lustre.StateFile.Change;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * Counts what passes through the sixteen places of one import's history. What stood there at the
 * first look is where the counts begin, and no change is counted twice when the ring has moved on.
 */
final class StateWatch {

  private List<Change> known = List.of();
  private boolean lost;
  private long evictions;
  private long reconnects;

  void note(List<Change> history) {
    if (Collections.indexOfSubList(known, history) >= 0) {
      return; // Nothing new; less than before where the end was cut off.
    }
    history.subList(overlap(history), history.size()).forEach(this::count);
    known = List.copyOf(history);
  }

  /** How many of the changes were there the last time: the most that can be. */
  private int overlap(List<Change> history) {
    for (int gone = 0; gone < known.size(); gone++) {
      List<Change> left = known.subList(gone, known.size());
      if (left.size() <= history.size() && history.subList(0, left.size()).equals(left)) {
        return left.size();
      }
    }
    return 0;
  }

  private void count(Change change) {
    if (change.is(ImportState.EVICTED)) {
      evictions++;
      lost = true;
    } else if (change.is(ImportState.DISCONN)) {
      lost = true;
    } else if (change.is(ImportState.FULL)) {
      reconnects += lost ? 1 : 0;
      lost = false;
    } else if (change.is(ImportState.IDLE)) {
      lost = false;
    }
  }

  long evictions() {
    return evictions;
  }

  /** Connections that were lost and came back; to idle and to wake is neither. */
  long reconnects() {
    return reconnects;
  }

  /** The second of the newest eviction that is still among the sixteen. */
  OptionalLong lastEviction() {
    return known.stream()
        .filter(change -> change.is(ImportState.EVICTED))
        .mapToLong(Change::second)
        .max();
  }
}
