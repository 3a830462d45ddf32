package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpmTest {
  private static final int SM_ACTIVE = 2;
  private static final int NVLINK_RX = 60;
  private static final int NVLINK_TX = 61;

  private SimulatedNode node;
  private Nvml nvml;
  private Pointer gpu;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = TestNode.p5(dir);
    nvml = Nvml.of(node);
    gpu = nvml.device(0);
  }

  @AfterEach
  void closeLibrary() {
    nvml.close();
  }

  @Test
  void aMetricIsTheAverageBetweenItsTwoSamples() {
    node.set("gpu.0.gpm.sm_active", "20 + 10/s");
    Pointer before = nvml.gpmSample(gpu);
    TestNode.letPass(node, 4);
    Pointer after = nvml.gpmSample(gpu);
    assertThat(nvml.metric(before, after, SM_ACTIVE).value()).isCloseTo(40, within(1e-6));
  }

  @Test
  void aChangeBetweenTheSamplesCountsFromWhenItIsSeen() {
    node.set("gpu.0.gpm.sm_active", "10");
    Pointer before = nvml.gpmSample(gpu);
    TestNode.letPass(node, 6);
    nvml.temperature(gpu);
    node.set("gpu.0.gpm.sm_active", "60");
    nvml.temperature(gpu);
    TestNode.letPass(node, 10);
    Pointer after = nvml.gpmSample(gpu);
    assertThat(nvml.metric(before, after, SM_ACTIVE).value()).isCloseTo(30, within(1e-6));
  }

  @Test
  void samplesCloserThanATenthOfASecondHoldNoNewData() {
    Pointer before = nvml.gpmSample(gpu);
    TestNode.letPass(node, 0.05);
    Pointer after = nvml.gpmSample(gpu);
    assertThat(nvml.metric(before, after, SM_ACTIVE)).isEqualTo(new Nvml.Metric(0, Double.NaN));
  }

  @Test
  void sixtyIsReceivedAndSixtyOneIsSent() {
    node.set("gpu.0.nvlink.rx", "1800");
    node.set("gpu.0.nvlink.tx", "3600");
    Pointer before = nvml.gpmSample(gpu);
    TestNode.letPass(node, 1);
    Pointer after = nvml.gpmSample(gpu);
    assertThat(nvml.metric(before, after, NVLINK_RX).value()).isCloseTo(1800, within(1e-6));
    assertThat(nvml.metric(before, after, NVLINK_TX).value()).isCloseTo(3600, within(1e-6));
    assertThat(nvml.metric(before, after, 62).value()).isCloseTo(100, within(1e-6));
    assertThat(nvml.metric(before, after, 97).value()).isCloseTo(200, within(1e-6));
    assertThat(nvml.metric(before, after, 212).code()).isEqualTo(3);
    assertThat(nvml.metric(before, after, 333).code()).isEqualTo(2);
  }

  @Test
  void theStateCanTakeTheDataAway() {
    node.set("gpu.0.gpm", "nan");
    Pointer before = nvml.gpmSample(gpu);
    TestNode.letPass(node, 1);
    Pointer after = nvml.gpmSample(gpu);
    assertThat(nvml.metric(before, after, SM_ACTIVE)).isEqualTo(new Nvml.Metric(0, Double.NaN));
  }

  @Test
  void cardsBeforeHopperHaveNoGpm(@TempDir Path other) {
    try (Nvml l4 = Nvml.of(TestNode.of("g6.xlarge", other))) {
      assertThat(supported(l4)).isZero();
    }
    assertThat(supported(nvml)).isEqualTo(1);
    node.set("gpu.0.gpm", "unsupported");
    assertThat(supported(nvml)).isZero();
  }

  private static int supported(Nvml library) {
    Memory support = new Memory(8);
    support.setInt(0, 1);
    library.call("nvmlGpmQueryDeviceSupport", library.device(0), support);
    return support.getInt(4);
  }

  @Test
  void samplesOfTwoGpusDoNotMix() {
    Memory get = new Memory(64);
    get.clear();
    get.setInt(0, 1);
    get.setInt(4, 1);
    get.setPointer(8, nvml.gpmSample(gpu));
    get.setPointer(16, nvml.gpmSample(nvml.device(1)));
    assertThat(nvml.call("nvmlGpmMetricsGet", get)).isEqualTo(2);
  }
}
