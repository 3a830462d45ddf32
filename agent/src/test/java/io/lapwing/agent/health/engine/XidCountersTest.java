package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.xid.XidTable;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class XidCountersTest {

  private final XidCounters xids = new XidCounters(XidTable.load());

  private static Instant at(long second) {
    return Instant.ofEpochSecond(second);
  }

  private void seen(String uuid, long number, long second) {
    xids.add(new XidCounters.Occurrence(uuid, number, at(second), 1));
  }

  @Test
  void theSameXidTwiceCountsTwice() {
    seen("a", 94, 1);
    seen("a", 94, 2);
    seen("b", 94, 3);
    assertThat(xids.counts("a").get(94L)).isEqualTo(new XidCounters.Count("a", 94, 2, at(2)));
    assertThat(xids.counts("b").get(94L)).isEqualTo(new XidCounters.Count("b", 94, 1, at(3)));
    assertThat(xids.counts("a")).doesNotContainKey(95L);
  }

  @Test
  void theLastOneIsTheLastToCome() {
    seen("a", 94, 1);
    seen("a", 48, 2);
    seen("b", 79, 3);
    assertThat(xids.last("a")).hasValue(48L);
    seen("a", 94, 4);
    assertThat(xids.last("a")).hasValue(94L);
    assertThat(xids.last("c")).isEmpty();
  }

  @Test
  void ofTwoInTheSameMomentTheLastIsTheSecond() {
    seen("a", 48, 1);
    seen("a", 94, 1);
    assertThat(xids.last("a")).hasValue(94L);
  }

  @Test
  void theClockMayStepBackAndTheLastIsStillTheLastToCome() {
    seen("a", 48, 100);
    seen("a", 94, 1);
    assertThat(xids.last("a")).hasValue(94L);
  }

  @Test
  void countsOfAGpuAreOrderedByNumber() {
    seen("b", 1, 1);
    seen("a", 100, 2);
    seen("a", 9, 3);
    assertThat(xids.counts("a").keySet()).containsExactly(9L, 100L);
  }

  @Test
  void theWindowForgetsAndTheCountsDoNot() {
    seen("a", 94, 10);
    seen("a", 94, 20);
    assertThat(xids.since(at(10))).hasSize(2);
    assertThat(xids.since(at(11))).hasSize(1);
    assertThat(xids.since(at(0))).hasSize(1);
    assertThat(xids.counts("a").get(94L)).extracting(XidCounters.Count::times).isEqualTo(2L);
  }

  @Test
  void aStormIsCountedInFullAndKeptInPart() {
    for (int i = 0; i < 10_050; i++) {
      seen("a", 31, i);
    }
    assertThat(xids.counts("a").get(31L)).extracting(XidCounters.Count::times).isEqualTo(10_050L);
    assertThat(xids.since(at(0))).hasSize(10_000).noneMatch(event -> event.at().isBefore(at(50)));
  }
}
