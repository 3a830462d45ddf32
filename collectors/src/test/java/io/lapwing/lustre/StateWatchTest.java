package io.lapwing.lustre;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.lustre.StateFile.Change;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class StateWatchTest {

  private static final int RING = 16;

  private final TargetInstance.StateWatch watch = new TargetInstance.StateWatch();

  private static List<Change> changes(String... secondsAndStates) {
    List<Change> changes = new ArrayList<>();
    for (String one : secondsAndStates) {
      int space = one.indexOf(' ');
      changes.add(new Change(Long.parseLong(one.substring(0, space)), one.substring(space + 1)));
    }
    return changes;
  }

  private void counts(long evictions, long reconnects) {
    assertThat(watch.evictions()).as("evictions").isEqualTo(evictions);
    assertThat(watch.reconnects()).as("reconnects").isEqualTo(reconnects);
  }

  @Test
  void changesBeforeTheFirstReadAreCounted() {
    watch.note(changes("1 CONNECTING", "1 FULL", "5 DISCONN", "6 EVICTED", "6 RECOVER", "6 FULL"));
    counts(1, 1);
    assertThat(watch.lastEviction()).hasValue(6);
  }

  @Test
  void nothingIsCountedTwice() {
    List<Change> history = changes("1 CONNECTING", "1 FULL", "5 EVICTED", "5 RECOVER", "5 FULL");
    watch.note(history);
    watch.note(history);
    counts(1, 1);
  }

  @Test
  void twoEvictionsInOneSecondAreTwo() {
    watch.note(changes("1 FULL"));
    watch.note(changes("1 FULL", "5 EVICTED", "5 FULL", "5 EVICTED", "5 FULL"));
    counts(2, 2);
    watch.note(changes("1 FULL", "5 EVICTED", "5 FULL", "5 EVICTED", "5 FULL", "5 EVICTED"));
    counts(3, 2);
  }

  @Test
  void goingIdleAndWakingIsNotAReconnect() {
    watch.note(
        changes("1 CONNECTING", "1 FULL", "30 CONNECTING", "30 IDLE", "50 NEW", "50 CONNECTING"));
    watch.note(
        changes(
            "1 CONNECTING",
            "1 FULL",
            "30 CONNECTING",
            "30 IDLE",
            "50 NEW",
            "50 CONNECTING",
            "50 FULL"));
    counts(0, 0);
  }

  @Test
  void aTruncatedOrEmptyHistoryChangesNothing() {
    watch.note(changes("1 FULL", "5 EVICTED", "5 FULL"));
    watch.note(changes("1 FULL"));
    watch.note(List.of());
    watch.note(changes("1 FULL", "5 EVICTED", "5 FULL"));
    counts(1, 1);
  }

  @Test
  void aDifferentHistoryIsCountedAsAWhole() {
    watch.note(changes("1 FULL", "5 EVICTED", "5 FULL"));
    watch.note(changes("9 CONNECTING", "9 FULL", "12 EVICTED"));
    counts(2, 1);
    assertThat(watch.lastEviction()).hasValue(12);
  }

  @Test
  void anEvictionThatHasLeftTheRingIsStillCounted() {
    List<Change> all = new ArrayList<>(changes("1 EVICTED", "1 FULL"));
    watch.note(all);
    for (int second = 2; second < 40; second++) {
      all.add(new Change(second, "IDLE"));
      watch.note(ring(all));
    }
    counts(1, 1);
    assertThat(watch.lastEviction()).isEmpty();
  }

  private static List<Change> ring(List<Change> all) {
    return List.copyOf(all.subList(Math.max(0, all.size() - RING), all.size()));
  }

  /** Seconds are distinct, so that no two parts of the history are equal. */
  @Property
  void everyChangeReadInTimeIsCountedOnce(@ForAll @Size(max = 60) List<Integer> steps) {
    TargetInstance.StateWatch seen = new TargetInstance.StateWatch();
    List<Change> all = new ArrayList<>();
    long evictions = 0;
    for (int step : steps) {
      for (int i = 0; i <= Math.floorMod(step, RING - 1); i++) {
        boolean evicted = (step >> i & 1) == 1;
        evictions += evicted ? 1 : 0;
        all.add(new Change(all.size(), evicted ? "EVICTED" : "FULL"));
      }
      seen.note(ring(all));
      assertThat(seen.evictions()).isEqualTo(evictions);
    }
  }
}
