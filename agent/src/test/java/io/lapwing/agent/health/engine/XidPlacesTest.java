package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.linux.KernelRecord;
import io.lapwing.xid.KernelFacts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Faults that come at one moment at several places of a GPU stay as many, within reason. */
class XidPlacesTest {

  private static final Instant NOW = Instant.parse("2026-03-01T03:00:00Z");

  private final PollClock clock =
      new PollClock() {
        @Override
        public Instant instant() {
          return NOW;
        }

        @Override
        public long nanoTime() {
          return 0;
        }
      };

  private final XidDeduplicator intake =
      new XidDeduplicator(
          new KernelFacts(() -> Optional.of("580.95.05"))::read,
          new PciToUuidMap(new GpuRoster()),
          clock);

  private void kernel(String message) {
    intake.kernel(List.of(new KernelRecord(OptionalLong.empty(), Optional.of(NOW), message)));
  }

  private void sm(int pid, int gpc, int tpc, int sm) {
    kernel(
        "NVRM: Xid (PCI:0000:b5:00): 13, pid=%d, name=python3, Graphics SM Warp Exception on (GPC %d, TPC %d, SM %d): Out Of Range Address"
            .formatted(pid, gpc, tpc, sm));
  }

  private void link(int link) {
    kernel(
        "NVRM: Xid (PCI:0000:b5:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link %d(0x10, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)"
            .formatted(link));
  }

  private List<Event.Xid> xids() {
    return intake.take().stream()
        .filter(Event.Xid.class::isInstance)
        .map(Event.Xid.class::cast)
        .toList();
  }

  @Test
  void oneProcessAtTwoPlacesIsTwoEvents() {
    sm(7, 1, 3, 0);
    sm(7, 1, 3, 1);
    sm(7, 2, 0, 0);

    assertThat(xids()).extracting(Event.Xid::times).containsExactly(2L, 1L);
  }

  @Test
  void eachLinkIsAnEvent() {
    IntStream.range(0, 18).forEach(this::link);
    IntStream.range(0, 18).forEach(this::link);

    assertThat(xids()).hasSize(18).extracting(Event.Xid::times).containsOnly(2L);
  }

  @Test
  void aProgramThatFailsEverywhereMakesAFewEventsAndNoneIsLost() {
    for (int tpc = 0; tpc < 66; tpc++) {
      sm(7, tpc / 9, tpc % 9, 0);
    }
    sm(8, 0, 0, 0);
    List<Event.Xid> xids = xids();

    assertThat(xids).hasSizeLessThan(22);
    assertThat(xids.stream().mapToLong(Event.Xid::times).sum()).isEqualTo(67);
    assertThat(xids.get(xids.size() - 1).pid()).hasValue(8);
  }
}
