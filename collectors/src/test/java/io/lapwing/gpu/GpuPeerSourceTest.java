package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.metric.Labels;
import io.lapwing.nvml.FakeNvml;
import org.junit.jupiter.api.Test;

class GpuPeerSourceTest {

  private final FakeNvml nvml = new FakeNvml(2);
  private final NvmlDriver driver = new NvmlDriver(() -> Reading.of(nvml));
  private final GpuRoster roster = new GpuRoster();
  private java.time.Instant now = java.time.Instant.EPOCH;
  private final GpuPeerSource source =
      new GpuPeerSource(new GpuContext(driver, roster, Probe.VIEW, () -> now, () -> 0));

  GpuPeerSourceTest() {
    for (int index = 0; index < 2; index++) {
      String uuid = "GPU-" + index;
      GpuIdentity identity = new GpuIdentity(index, uuid, "", "", "", "", "", "");
      Labels own = Labels.of("gpu", String.valueOf(index), "UUID", uuid);
      roster.present(new GpuRoster.Known(identity, own, own, 1));
    }
  }

  private RecordedSink round() {
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    return RecordedSink.of(source.collectors().get(0));
  }

  private static String line(int gpu, int peer, String word, int value) {
    return "DCGM_EXP_P2P_STATUS{gpu=\"%d\",UUID=\"GPU-%d\",link_status=\"%s\",peer_gpu=\"%d\"} %d"
        .formatted(gpu, gpu, word, peer, value);
  }

  @Test
  void everyPairIsReadFromBothGpus() {
    driver.attach();
    nvml.device(0).answer("p2pStatus 1", 0);
    nvml.device(1).answer("p2pStatus 0", 4);
    assertThat(round().lines())
        .containsExactly(line(0, 1, "OK", 0), line(1, 0, "DisabledByRegKey", 4));
  }

  @Test
  void aStatusWithoutAWordIsUnknownAndItsNumberStays() {
    driver.attach();
    nvml.device(0).answer("p2pStatus 1", 99);
    assertThat(round().lines()).containsExactly(line(0, 1, "Unknown", 99));
  }

  @Test
  void aFailureCountsAndMakesNoSample() {
    driver.attach();
    nvml.device(0)
        .reading("p2pStatus 1", new Reading.Failed<>("nvmlDeviceGetP2PStatus", "timeout"));
    RecordedSink sink = round();
    assertThat(sink.lines()).isEmpty();
    assertThat(sink.failures()).containsExactly("nvmlDeviceGetP2PStatus: timeout");
  }

  @Test
  void withoutADriverItIsDownAndAfterAReloadItUsesNewHandles() {
    assertThat(source.begin(source.collectors()))
        .isEqualTo(new Access.Down("driver_not_loaded", "the driver is gone"));
    driver.attach();
    nvml.device(0).answer("p2pStatus 1", 0);
    assertThat(round().lines()).hasSize(1);
    driver.suspect("uninitialized");
    driver.attach();
    nvml.device(0).answer("p2pStatus 1", 4);
    now = now.plusSeconds(60);
    assertThat(round().lines()).containsExactly(line(0, 1, "DisabledByRegKey", 4));
  }

  @Test
  void everyPairIsReadOnceAMinute() {
    driver.attach();
    nvml.device(0).answer("p2pStatus 1", 0);
    round();
    nvml.device(0).answer("p2pStatus 1", 4);
    now = now.plusSeconds(59);
    assertThat(round().lines()).containsExactly(line(0, 1, "OK", 0));
    now = now.plusSeconds(1);
    assertThat(round().lines()).containsExactly(line(0, 1, "DisabledByRegKey", 4));
  }
}
