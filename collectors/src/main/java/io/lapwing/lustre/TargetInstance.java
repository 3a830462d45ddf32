package io.lapwing.lustre;

import io.lapwing.collect.Reading;
import io.lapwing.linux.KernelText;
import io.lapwing.lustre.StateFile.Change;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One mount's connection to a target, with its state. For its source's thread. */
final class TargetInstance {

  final LustreName name;

  /** By name: the same few are read in each round. */
  private final Map<String, String> files = new HashMap<>();

  final StateWatch states = new StateWatch();
  final FirstRead stats = new FirstRead();
  final FirstRead rpcStats = new FirstRead();

  /** {@code import} as of this round. */
  Reading<KernelText> importText = new Reading.Missing<>("import");

  /** Connection state as of this round. */
  Optional<ImportState> state = Optional.empty();

  TargetInstance(LustreName name) {
    this.name = name;
  }

  /** The parameter of a file of this target, for {@link LustreFiles}. */
  String file(String file) {
    return files.computeIfAbsent(file, name::file);
  }

  /** Whether reading a file failed before it succeeded for the first time. */
  static final class FirstRead {
    private boolean missed;
    private boolean seen;

    <T> Optional<T> note(Optional<T> read) {
      seen |= read.isPresent();
      missed |= !seen;
      return read;
    }

    boolean late() {
      return missed;
    }
  }

  /** Counts the changes in the sixteen-entry history, those at the first read included, once. */
  static final class StateWatch {

    private List<Change> known = List.of();
    private boolean lost;
    private long evictions;
    private long reconnects;

    void note(List<Change> history) {
      if (Collections.indexOfSubList(known, history) >= 0) {
        return; // Nothing new, or a truncated file.
      }
      history.subList(overlap(history), history.size()).forEach(this::count);
      known = List.copyOf(history);
    }

    /** How many of the changes were already there: the longest possible overlap. */
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

    /** Connections that were lost and restored; going idle and waking do not count. */
    long reconnects() {
      return reconnects;
    }

    /** The time of the newest eviction in the ring, in seconds since 1970. */
    OptionalLong lastEviction() {
      return known.stream()
          .filter(change -> change.is(ImportState.EVICTED))
          .mapToLong(Change::second)
          .max();
    }
  }
}
