package io.lapwing.agent.health.rules.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Minutes of one hour; the checks of all cases found wrong results. */
class DeepCheckResetTest {

  private static final String GPU = NodeSnapshots.uuid(3);
  private static final String SUBJECT = new Subject.Gpu(GPU).text();
  private static final Instant NOW = NodeSnapshots.healthy().view().now();

  private static Instant at(int minute) {
    return NOW.minus(Duration.ofMinutes(60 - minute));
  }

  private static Event opened(int minute, Action action) {
    return new Event.FindingOpened(
        at(minute), at(minute), "deep_check", SUBJECT, "failing", action.text(), "wrong");
  }

  private static Event opened(int minute) {
    return opened(minute, Action.RESET_GPU);
  }

  private static Event escalated(int minute, Action action) {
    return new Event.FindingEscalated(at(minute), "deep_check", SUBJECT, "failing", action.text());
  }

  private static Event started(int minute) {
    return new Event.Started(at(minute), "1");
  }

  private static Event booted(int minute) {
    return new Event.Booted(at(minute), "boot", "i-1");
  }

  private static Event loaded(int minute) {
    return new Event.DriverLoaded(at(minute), "580.95.05");
  }

  private static Event released(int minute) {
    return new Event.GpusReleased(at(minute), at(60));
  }

  private static Event reopened(int minute) {
    return new Event.GpusReopened(at(minute), "done");
  }

  private static Event reset(int minute) {
    return new Event.GpuReset(at(minute), GPU, "its energy counter restarted");
  }

  private static Event seen(int minute) {
    return new Event.GpuSeen(at(minute), GPU, 1);
  }

  private static DeepCheckReset last(Action own, Event... events) {
    NodeSnapshots node = NodeSnapshots.healthy();
    List.of(events).forEach(node::happened);
    return DeepCheckReset.last("deep_check", new Subject.Gpu(GPU), own, node.view());
  }

  /** Whether a reset is known to be newer than what a check found. */
  private static boolean isAfter(int tested, Event... events) {
    return last(Action.RESET_GPU, events).ended(at(tested));
  }

  @Test
  void aResetAfterTheCheckEndsItsFinding() {
    assertThat(isAfter(10, started(0), opened(11))).isFalse();
    assertThat(isAfter(10, started(0), opened(11), released(20), reopened(25), reset(25))).isTrue();
    assertThat(isAfter(10, started(0), opened(11), seen(11), reset(30))).as("no release").isTrue();
    assertThat(isAfter(10, started(0), opened(11), started(30), reset(30))).isTrue();
    assertThat(isAfter(10, started(0), opened(11), booted(20))).isTrue();
  }

  @Test
  void aCheckThatWasMadeBetweenTheResetAndItsDiscoveryCounts() {
    assertThat(isAfter(23, started(0), opened(11), released(20), reopened(25), reset(25)))
        .as("while the GPUs were released")
        .isFalse();
    assertThat(isAfter(23, started(0), opened(11), seen(11), started(25), reset(25)))
        .as("while no agent ran")
        .isFalse();
    assertThat(isAfter(29, started(0), opened(11), seen(11), reset(30)))
        .as("a minute before, as old as a reading may be")
        .isFalse();
  }

  @Test
  void aSecondCheckBeforeTheResetMayHaveAddedNoEvent() {
    assertThat(isAfter(15, started(0), opened(11), released(20), reopened(25), reset(25))).isTrue();
    assertThat(isAfter(15, started(0), opened(11), seen(11), reset(30))).isTrue();
  }

  @Test
  void whatIsFoundAfterTheResetStays() {
    assertThat(isAfter(10, started(0), opened(11), released(20), reset(25), opened(28))).isFalse();
    assertThat(isAfter(10, opened(11), reset(25), escalated(28, Action.REBOOT_NODE))).isFalse();
  }

  @Test
  void onlyWhatItAskedForEndsIt() {
    Event reboot = opened(11, Action.REBOOT_NODE);
    assertThat(isAfter(10, started(0), reboot, released(20), reset(25))).isFalse();
    assertThat(isAfter(10, started(0), reboot, released(20), reset(25), booted(40))).isTrue();
  }

  @Test
  void aBootThatIsDatedAheadCountsAndHidesNoNewerCheck() {
    assertThat(isAfter(10, opened(11), booted(90))).isTrue();
    assertThat(isAfter(20, opened(11), booted(90))).isFalse();
  }

  @Test
  void afterAReleaseWithoutAResetTheGpuIsReadAgain() {
    Event[] events = {
      opened(11), seen(11), released(15), reopened(20), seen(20), released(40), reset(45)
    };
    assertThat(isAfter(30, events)).isTrue();
    assertThat(isAfter(42, events)).isFalse();
  }

  @Test
  void onlyWhatWasFoundAfterAResetForCertainIsNotEndedByIt() {
    DeepCheckReset reset = last(Action.RESET_GPU, opened(11), released(20), reset(25));
    assertThat(reset.didNotEnd(at(26))).isTrue();
    assertThat(reset.didNotEnd(at(22))).as("while the GPUs were released").isFalse();
    assertThat(reset.ended(at(22))).isFalse();
    assertThat(last(Action.RESET_GPU, opened(11)).didNotEnd(at(10))).as("no reset").isTrue();
  }

  @Test
  void theActionOfAnEarlierPolicySaysNothing() {
    Event replacement = opened(11, Action.REPLACE_NODE);
    assertThat(last(Action.REBOOT_NODE, opened(11), seen(11), reset(30)).ended(at(10))).isFalse();
    assertThat(last(Action.REPLACE_NODE, replacement, seen(11), reset(30)).ended(at(10))).isFalse();
    assertThat(last(Action.WATCH, replacement, seen(11), reset(30)).ended(at(10))).isTrue();
    Event[] steps = {
      opened(5), reset(6), opened(8, Action.REBOOT_NODE), booted(9), replacement, booted(30)
    };
    assertThat(last(Action.RESET_GPU, steps).ended(at(10))).isFalse();
  }

  /** A reboot in place of the reset counts as the second step. */
  @Test
  void nothingEndsAReplacementThatAskedForAResetFirst() {
    Event[] events = {
      opened(5), booted(9), started(10), opened(11, Action.REPLACE_NODE), seen(11), reset(30)
    };
    assertThat(last(Action.RESET_GPU, events).ended(at(10))).isFalse();
    assertThat(isAfter(10, opened(11, Action.REPLACE_NODE), reset(30), booted(40))).isFalse();
  }

  @Test
  void theDriverThatABootLoadsDoesNotHideTheBoot() {
    Event[] events = {opened(11), seen(11), booted(20), started(21), loaded(21)};
    assertThat(isAfter(15, events)).as("checked before the boot").isTrue();
    assertThat(isAfter(22, events)).as("checked after it").isFalse();
  }

  @Test
  void aResetThatIsDatedAheadHidesNoNewerCheck() {
    Event[] events = {opened(11), released(85), reopened(90), reset(90)};
    assertThat(isAfter(50, events)).isFalse();
    assertThat(isAfter(50, opened(11), seen(90), reset(55))).as("a reading dated ahead").isFalse();
  }

  @Test
  void theResetOfAnotherGpuIsNone() {
    Event other = new Event.GpuReset(at(30), NodeSnapshots.uuid(4), "sign");
    assertThat(isAfter(10, opened(11), seen(11), other)).isFalse();
  }
}
