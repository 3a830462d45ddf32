package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventHistoryBoundsTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");

  private final List<Event> written = new ArrayList<>();
  private final List<Event> listened = new ArrayList<>();
  private final EventHistory history =
      new EventHistory(List.of(started(0)), written::addAll, listened::add);

  private static Event started(int second) {
    return new Event.Started(START.plusSeconds(second), "1");
  }

  private static Event.Xid xid(int second, int number, long times) {
    return new Event.Xid(
        START.plusSeconds(second),
        "GPU-1",
        "",
        OptionalInt.empty(),
        OptionalInt.empty(),
        number,
        OptionalLong.empty(),
        "",
        "",
        OptionalInt.empty(),
        Set.of(Event.Origin.KERNEL),
        times,
        OptionalLong.empty());
  }

  private List<Event.Xid> xids() {
    return history.events().stream()
        .filter(Event.Xid.class::isInstance)
        .map(Event.Xid.class::cast)
        .toList();
  }

  @Test
  void whatIsAddedIsWrittenAndKeptAndReachesTheListener() {
    history.add(List.of(xid(1, 79, 1)));

    assertThat(written).containsExactly(xid(1, 79, 1));
    assertThat(listened).containsExactly(started(0), xid(1, 79, 1));
    assertThat(history.events()).containsExactly(started(0), xid(1, 79, 1));
    assertThat(history.counts()).containsOnlyKeys("xid");
  }

  @Test
  void itsSizeIsBoundedAndNoXidIsLostFromTheCount() {
    for (int i = 0; i < 40_000; i++) {
      history.add(List.of(xid(i, i % 500 == 0 ? 79 : 31, 2)));
    }

    assertThat(history.events()).hasSizeLessThanOrEqualTo(EventHistory.MAX_EVENTS);
    assertThat(xids().stream().mapToLong(Event.Xid::times).sum()).isEqualTo(80_000);
    assertThat(history.events().get(0)).isEqualTo(started(0));
  }

  @Test
  void theFirstAndTheLastOccurrenceStayKnown() {
    for (int i = 0; i < 20_000; i++) {
      history.add(List.of(xid(i, 31, 1)));
    }

    assertThat(xids().get(0).at()).isEqualTo(START);
    assertThat(xids().get(xids().size() - 1).at()).isEqualTo(START.plusSeconds(19_999));
  }

  @Test
  void rareEventsSurviveAStorm() {
    history.add(List.of(xid(1, 79, 1), new Event.GpuLost(START, "GPU-1", "gpu_is_lost")));
    for (int i = 0; i < 20_000; i++) {
      history.add(List.of(xid(i, 31, 1)));
    }

    assertThat(history.events())
        .contains(xid(1, 79, 1), new Event.GpuLost(START, "GPU-1", "gpu_is_lost"));
  }
}
