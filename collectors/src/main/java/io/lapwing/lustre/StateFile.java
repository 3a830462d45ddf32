package io.lapwing.lustre;

import io.lapwing.linux.KernelNumber;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code state} file: the state of an import (empty if of a later version) and its last sixteen
 * changes, oldest first.
 *
 * <pre>
 * current_state: FULL
 * state_history:
 *  - [ 1689999026, EVICTED ]
 *  - [ 1689999026, FULL ]
 * </pre>
 */
record StateFile(Optional<ImportState> current, List<Change> history) {

  private static final Pattern CURRENT = Pattern.compile("current_state: ([A-Z_<>?]{1,40})");
  private static final Pattern HEADING = Pattern.compile("state_history: *");
  private static final Pattern CHANGE =
      Pattern.compile(" *- \\[ ?(\\d{1,40}), ([A-Z_<>?]{1,40}) ?\\]");

  /** {@code IMP_STATE_HIST_LEN} is 16 in all versions; this is ten times that. */
  private static final int MAX_CHANGES = 160;

  /** A state as the kernel writes it, and since when, in seconds since 1970. */
  record Change(long second, String state) {

    boolean is(ImportState what) {
      return state.equals(what.name());
    }
  }

  StateFile {
    history = List.copyOf(history);
  }

  static StateFile parse(KernelText text) throws ParseFailure {
    List<String> lines = text.lines();
    Matcher current = CURRENT.matcher(lines.isEmpty() ? "" : lines.get(0));
    if (!current.matches()) {
      throw text.failure(0, "not a current_state");
    }
    if (lines.size() > 1 && !HEADING.matcher(lines.get(1)).matches()) {
      throw text.failure(1, "not a state_history");
    }
    List<Change> history = new ArrayList<>();
    for (int i = 2; i < lines.size(); i++) {
      history.add(change(text, i));
    }
    return new StateFile(ImportState.named(current.group(1)), history);
  }

  private static Change change(KernelText text, int index) throws ParseFailure {
    Matcher form = CHANGE.matcher(text.lines().get(index));
    if (!form.matches() || index > MAX_CHANGES) {
      throw text.failure(index, "not a state change");
    }
    OptionalLong second = KernelNumber.signed(form.group(1));
    if (second.isEmpty()) {
      throw text.failure(index, "not a 64-bit time");
    }
    return new Change(second.getAsLong(), form.group(2));
  }
}
