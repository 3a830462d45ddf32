package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.gpu.GpuIdentity;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.metric.Labels;
import io.lapwing.xid.PciAddress;
import org.junit.jupiter.api.Test;

class PciToUuidMapTest {

  private static final PciAddress PCI = PciAddress.parse("0000:53:00").orElseThrow();

  private final GpuRoster roster = new GpuRoster();
  private final PciToUuidMap map = new PciToUuidMap(roster);

  private void seen(String uuid, long generation) {
    roster.present(
        new GpuRoster.Known(
            new GpuIdentity(0, uuid, "", "", "00000000:53:00.0", "", "", ""),
            Labels.NONE,
            Labels.NONE,
            generation));
  }

  @Test
  void theBoardSeenLastHasTheAddress() {
    map.learn(PCI, "GPU-0");
    assertThat(map.uuid(PCI)).contains("GPU-0");
    seen("GPU-a", 1);
    assertThat(map.uuid(PCI)).as("NVML's counts").contains("GPU-a");
    seen("GPU-b", 2);
    assertThat(map.uuid(PCI)).contains("GPU-b");
    seen("GPU-a", 3);
    assertThat(map.uuid(PCI)).as("it is back").contains("GPU-a");
  }
}
