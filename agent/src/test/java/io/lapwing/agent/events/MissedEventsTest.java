package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MissedEventsTest {

  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");
  private static final Event BOOTED = new Event.Booted(AT, "this", "");
  private static final Event EARLIER = new Event.Booted(AT.minusSeconds(9_000), "earlier", "");

  private static Event xid(int seconds, OptionalLong sequence) {
    return xid(seconds, Event.Origin.KERNEL, sequence);
  }

  private static Event.Xid xid(int seconds, Event.Origin origin, OptionalLong sequence) {
    return new Event.Xid(
        AT.plusSeconds(seconds),
        "GPU-1",
        "0000:53:00",
        OptionalInt.empty(),
        OptionalInt.empty(),
        79,
        OptionalLong.empty(),
        "",
        "GPU has fallen off the bus.",
        OptionalInt.empty(),
        Set.of(origin),
        1,
        sequence);
  }

  private static Event xid(int seconds, long sequence) {
    return xid(seconds, OptionalLong.of(sequence));
  }

  private static Event growth(int seconds) {
    return new Event.EccGrowth(
        AT.plusSeconds(seconds), AT.plusSeconds(seconds), "GPU-1", false, 0, 1, false);
  }

  @Test
  void aClearIsAfterTheXidAlthoughThatWasReadLater() {
    Event started = new Event.Started(AT.plusSeconds(9_000), "1");
    Event clear = new Event.OperatorCleared(AT.plusSeconds(120), "", "", "");

    assertThat(MissedEvents.merged(List.of(BOOTED, started, xid(60, 5)), List.of(clear)))
        .containsExactly(BOOTED, started, xid(60, 5), clear);
  }

  @Test
  void aSecondRequestOfAnOperatorIsNotTheFirstOneHoweverSoonAfterIt() {
    Event clear = new Event.OperatorCleared(AT, "xid_79", "gpu:GPU-1", "");
    Event again = new Event.OperatorCleared(AT.plusSeconds(20), "xid_79", "gpu:GPU-1", "");
    Event ended = new Event.GpusReopened(AT.plusSeconds(2), "ended by an operator");
    Event release = new Event.GpusReleased(AT.plusSeconds(30), AT.plusSeconds(600));

    assertThat(MissedEvents.of(List.of(clear, ended, again, release), List.of(clear, ended)))
        .containsExactly(again, release);
  }

  @Test
  void aMessageOfTheKernelLogIsTheSameWhateverTimeItsReaderFound() {
    List<Event> history = List.of(BOOTED, xid(60, 5));

    assertThat(MissedEvents.of(List.of(xid(900, 5)), history)).isEmpty();
    assertThat(MissedEvents.of(List.of(xid(60, 6)), history)).containsExactly(xid(60, 6));
    assertThat(MissedEvents.of(List.of(EARLIER, xid(60, 4), BOOTED, xid(61, 4)), history))
        .as("the kernel counts from 0 at each boot")
        .containsExactly(EARLIER, xid(60, 4));
  }

  @Test
  void theMessageOfAnXidThatThisAgentKnowsByNvmlIsAddedAndNotCounted() {
    List<Event> history = List.of(BOOTED, xid(60, Event.Origin.NVML, OptionalLong.empty()));
    Event.Xid other = xid(58, Event.Origin.KERNEL, OptionalLong.of(5));

    assertThat(MissedEvents.of(List.of(other, xid(61, 6)), history))
        .as("NVML reported one of the two")
        .containsExactly(other.described(), xid(61, 6));
    assertThat(other.described().times()).isZero();
    assertThat(MissedEvents.of(List.of(xid(600, 5)), history)).containsExactly(xid(600, 5));
  }

  @Test
  void whatTwoAgentsReadAMinuteApartIsTheSame() {
    assertThat(MissedEvents.of(List.of(growth(0)), List.of(BOOTED, growth(60)))).isEmpty();
    assertThat(MissedEvents.of(List.of(growth(0)), List.of(BOOTED, growth(90)))).hasSize(1);
  }

  @Test
  void messagesWithoutASequenceAreTheSameWithinTenSeconds() {
    List<Event> history = List.of(BOOTED, xid(60, OptionalLong.empty()));

    assertThat(MissedEvents.of(List.of(xid(65, OptionalLong.empty())), history)).isEmpty();
    assertThat(MissedEvents.of(List.of(xid(75, OptionalLong.empty())), history)).hasSize(1);
  }
}
