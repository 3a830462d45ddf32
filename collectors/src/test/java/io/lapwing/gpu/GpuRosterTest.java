package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.metric.Labels;
import org.junit.jupiter.api.Test;

class GpuRosterTest {

  private final GpuRoster roster = new GpuRoster();

  private GpuRoster.Known seen(int index, String uuid, long generation) {
    GpuIdentity identity = new GpuIdentity(index, uuid, "", "", "", "", "", "");
    Labels own = Labels.of("gpu", String.valueOf(index), "UUID", uuid);
    GpuRoster.Known known = new GpuRoster.Known(identity, own, own, generation);
    roster.present(known);
    return known;
  }

  @Test
  void gpusAreListedByIndex() {
    GpuRoster.Known second = seen(1, "a", 1);
    GpuRoster.Known first = seen(0, "b", 1);
    assertThat(roster.all()).containsExactly(first, second);
  }

  @Test
  void theGpuSeenLastHasTheIndex() {
    GpuRoster.Known old = seen(0, "a", 1);
    GpuRoster.Known now = seen(0, "b", 2);
    assertThat(roster.at(0)).contains(now);
    assertThat(roster.at(1)).isEmpty();
    assertThat(roster.gone(1)).containsExactly(old);
  }

  @Test
  void aGpuBeyondTheCountIsGone() {
    seen(0, "a", 1);
    GpuRoster.Known last = seen(1, "b", 1);
    assertThat(roster.gone(2)).isEmpty();
    assertThat(roster.gone(1)).containsExactly(last);
  }

  @Test
  void aGpuThatMovedIsNotGone() {
    GpuRoster.Known taken = seen(0, "a", 1);
    seen(1, "b", 1);
    seen(0, "b", 2);
    assertThat(roster.gone(1)).containsExactly(taken);
  }
}
