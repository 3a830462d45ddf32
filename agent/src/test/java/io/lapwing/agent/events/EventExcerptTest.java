package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a short answer of the API shows of a long history. */
class EventExcerptTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private static Event oomKill(int second) {
    return new Event.HostFault(
        NOW.plusSeconds(second),
        "oom_kill",
        "",
        OptionalLong.of(second),
        "python3",
        "",
        "Killed process",
        1,
        OptionalLong.of(second));
  }

  private static Event lost(int second) {
    return new Event.GpuLost(NOW.plusSeconds(second), "GPU-" + second, "gpu_is_lost");
  }

  @Test
  void eventsOfUsersTakeAQuarterWhileOthersWait() {
    List<Event> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(lost(i));
    }
    for (int i = 200; i < 10_200; i++) {
      all.add(oomKill(i));
      all.add(new Event.KernelLogRead(NOW.plusSeconds(i), i, 0));
    }
    List<Event> newest = EventExcerpt.newest(all, 100);

    assertThat(newest).hasSize(100);
    assertThat(newest).filteredOn(Event.GpuLost.class::isInstance).hasSize(75);
    assertThat(newest.get(0)).isEqualTo(lost(125));
    assertThat(newest.get(99)).isEqualTo(all.get(all.size() - 1));
    assertThat(newest).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
  }

  @Test
  void roomThatNobodyElseNeedsIsForAll() {
    List<Event> all = new ArrayList<>(List.of(lost(0)));
    for (int i = 1; i < 500; i++) {
      all.add(oomKill(i));
    }
    List<Event> newest = EventExcerpt.newest(all, 100);
    assertThat(newest).hasSize(100).contains(lost(0), oomKill(499), oomKill(401));
    assertThat(newest).doesNotContain(oomKill(400));

    List<Event> hardware = new ArrayList<>(List.of(oomKill(0)));
    for (int i = 1; i < 500; i++) {
      hardware.add(lost(i));
    }
    assertThat(EventExcerpt.newest(hardware, 100)).hasSize(100).contains(oomKill(0), lost(401));
    assertThat(EventExcerpt.newest(all, 500)).isEqualTo(all);
    assertThat(EventExcerpt.newest(all, 1)).containsExactly(lost(0));
  }

  @Test
  void theXidsOfProgramsAreThoseOfTheTable() {
    assertThat(EventExcerpt.APPLICATION_XIDS)
        .isEqualTo(
            XidTable.load().all().stream()
                .filter(info -> info.kind() == XidInfo.Kind.APPLICATION)
                .map(XidInfo::number)
                .collect(Collectors.toSet()));
  }
}
