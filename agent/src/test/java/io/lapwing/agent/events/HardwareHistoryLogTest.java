package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.HardwareHistory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of hardware faults survives compaction of the history and restarts of the agent. */
class HardwareHistoryLogTest {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant NOW = START.plus(Duration.ofDays(80));
  private static final String GPU = "GPU-3";
  private static final int TOGETHER = 50;

  private static Event opened(int day, String action) {
    Instant at = START.plus(Duration.ofDays(day));
    return new Event.FindingOpened(at, at, "xid_94", "gpu:" + GPU, "degraded", action, "XID 94");
  }

  /** A fault every ten days, and between them storms of XIDs that fill the history. */
  private static List<Event> weeks() {
    List<Event> events = new ArrayList<>();
    events.add(new Event.GpuIdentified(START, GPU, "1650522032781", "NVIDIA H100 80GB HBM3"));
    for (int day = 0; day < 70; day += 10) {
      events.add(opened(day, "reset_gpu"));
      Instant at = START.plus(Duration.ofDays(day));
      events.add(new Event.FindingClosed(at.plusSeconds(60), "xid_94", "gpu:" + GPU, "reset"));
      for (int i = 0; i < 1_500; i++) {
        events.add(xid(at.plusSeconds(100 + i), i));
      }
    }
    events.add(opened(75, "replace_node"));
    return events;
  }

  private static Event.Xid xid(Instant at, int number) {
    return new Event.Xid(
        at,
        "GPU-" + number % 8,
        "0000:53:00",
        OptionalInt.empty(),
        OptionalInt.empty(),
        13 + number % 20,
        OptionalLong.of(number),
        "python3",
        "Ch 00000008",
        OptionalInt.empty(),
        Set.of(Event.Origin.KERNEL),
        1,
        OptionalLong.of(number));
  }

  private static HardwareHistory.Tally tally(List<Event> events) {
    Optional<HardwareHistory.Tally> tally = HardwareHistory.of(events).tally("gpu:" + GPU, NOW);
    assertThat(tally).isPresent();
    return tally.orElseThrow();
  }

  @Test
  void episodesAndTheSerialSurviveCompactionAndARestart(@TempDir Path dir) {
    List<Event> all = weeks();
    HardwareHistory.Tally complete = tally(all);
    assertThat(complete.count()).isEqualTo(8);
    assertThat(complete.score()).isEqualTo(11);
    InstantSource clock = InstantSource.fixed(NOW);

    try (HistoryLog log = HistoryLog.open(dir, Limits.DEFAULT, clock)) {
      for (int i = 0; i < all.size(); i += TOGETHER) {
        log.append(all.subList(i, Math.min(all.size(), i + TOGETHER)));
      }
      assertThat(log.events()).hasSizeLessThanOrEqualTo(EventHistory.MAX_EVENTS);
      assertThat(tally(log.events())).isEqualTo(complete);
    }
    try (HistoryLog restarted = HistoryLog.open(dir, Limits.DEFAULT, clock)) {
      assertThat(tally(restarted.events())).isEqualTo(complete);
      assertThat(tally(restarted.events()).serial()).isEqualTo("1650522032781");
    }
  }
}
