package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import io.lapwing.collect.Reading;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sampler on the simulated library, both on the test's own clock. */
class GpmSamplerTest {

  private static final List<GpmMetric> METRICS =
      List.of(GpmMetric.SM_ACTIVE, GpmMetric.NVLINK_RX, GpmMetric.NVLINK_TX, GpmMetric.PCIE_TX);

  private SimulatedNode node;
  private ScriptedLibrary library;
  private GpmSampler sampler;
  private double seconds;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.p5(dir);
    library = ScriptedLibrary.over(StillNode.library(node, Variant.NEW));
    Nvml nvml = StillNode.initialised(new JnaNvml(library.library(), System::nanoTime));
    Pointer device = JnaNvml.handleOf(StillNode.present(nvml.gpu(0)));
    sampler = new GpmSampler(library.library(), device, () -> Math.round(seconds * 1e9));
  }

  private GpmValues readAt(double at) {
    return StillNode.present(readingAt(at));
  }

  private Reading<GpmValues> readingAt(double at) {
    seconds = at;
    StillNode.letPass(node, at);
    return sampler.read(METRICS);
  }

  private static double value(GpmValues values, GpmMetric metric) {
    return StillNode.present(values.get(metric));
  }

  @Test
  void theFirstReadHasNoValuesAndTheSecondHas() {
    node.set("gpu.0.gpm.sm_active", "62");
    assertThat(readAt(0)).isEqualTo(GpmValues.NONE);
    GpmValues second = readAt(5);
    assertThat(second.seconds()).isCloseTo(5, within(1e-6));
    assertThat(value(second, GpmMetric.SM_ACTIVE)).isCloseTo(0.62, within(1e-9));
  }

  @Test
  void eachReadIsTheAverageSinceTheOneBefore() {
    node.set("gpu.0.gpm.sm_active", "10 + 10/s max 90");
    readAt(0);
    assertThat(value(readAt(4), GpmMetric.SM_ACTIVE)).isCloseTo(0.30, within(1e-9));
    assertThat(value(readAt(6), GpmMetric.SM_ACTIVE)).isCloseTo(0.60, within(1e-9));
  }

  @Test
  void ratesAreInBytesAndReceivedIsNotSent() {
    node.set("gpu.0.nvlink.rx", "1800");
    node.set("gpu.0.nvlink.tx", "3600");
    node.set("gpu.0.pcie.tx", "100");
    readAt(0);
    GpmValues values = readAt(2);
    assertThat(value(values, GpmMetric.NVLINK_RX)).isCloseTo(1800 * 1048576.0, within(1.0));
    assertThat(value(values, GpmMetric.NVLINK_TX)).isCloseTo(3600 * 1048576.0, within(1.0));
    assertThat(value(values, GpmMetric.PCIE_TX)).isCloseTo(100 * 1048576.0, within(1.0));
  }

  @Test
  void aReadTooSoonTakesNoSampleAndTheNextSpansBoth() {
    readAt(0);
    assertThat(readAt(0.109)).isEqualTo(GpmValues.NONE);
    assertThat(library.count("nvmlGpmSampleGet")).isEqualTo(1);
    GpmValues averages = readAt(0.2);
    assertThat(averages.seconds()).isCloseTo(0.2, within(1e-6));
    assertThat(readAt(0.25)).isEqualTo(new GpmValues(0, averages.values()));
  }

  @Test
  void notANumberIsAFailureWithoutData() {
    readAt(0);
    node.set("gpu.0.gpm", "nan");
    GpmValues values = readAt(1);
    assertThat(values.get(GpmMetric.SM_ACTIVE)).isEqualTo(new Reading.Failed<>("GPM 2", "no_data"));
    assertThat(values.get(GpmMetric.TENSOR_ACTIVE)).isEqualTo(new Reading.Unsupported<>("GPM 5"));
  }

  @Test
  void afterAFailureNoIntervalSpansTheGap() {
    readAt(0);
    node.set("gpu.0.return.nvmlGpmSampleGet", "15");
    assertThat(readingAt(5)).isEqualTo(new Reading.Failed<>("nvmlGpmSampleGet", "gpu_is_lost"));
    node.clear("gpu.0.return.nvmlGpmSampleGet");
    assertThat(readAt(60)).isEqualTo(GpmValues.NONE);
    assertThat(readAt(65).seconds()).isCloseTo(5, within(1e-6));
  }

  @Test
  void aMetricOfItsOwnCanBeUnsupported() {
    node.set("gpu.0.pcie.tx", "unsupported");
    readAt(0);
    GpmValues values = readAt(1);
    assertThat(values.get(GpmMetric.PCIE_TX)).isEqualTo(new Reading.Unsupported<>("GPM 20"));
    assertThat(values.get(GpmMetric.SM_ACTIVE)).isInstanceOf(Reading.Present.class);
  }

  @Test
  void aCardBeforeHopperHasNoGpmAndIsQueriedOnce(@TempDir Path other) {
    SimulatedNode g6 = StillNode.of("g6.xlarge", other);
    ScriptedLibrary counted = ScriptedLibrary.over(StillNode.library(g6, Variant.NEW));
    Nvml nvml = StillNode.initialised(new JnaNvml(counted.library(), System::nanoTime));
    NvmlGpu gpu = StillNode.present(nvml.gpu(0));
    Reading<GpmValues> absent = new Reading.Unsupported<>("nvmlGpmQueryDeviceSupport");
    assertThat(gpu.gpm(METRICS)).isEqualTo(absent);
    assertThat(gpu.gpm(METRICS)).isEqualTo(absent);
    assertThat(counted.count("nvmlGpmQueryDeviceSupport")).isEqualTo(1);
    assertThat(gpu.absences()).containsExactly("nvmlGpmQueryDeviceSupport: not supported");
  }

  @Test
  void aLibraryBeforeGpmLacksTheCall() {
    assertThat(StillNode.gpu(node, Variant.OLD, 0).gpm(METRICS))
        .isEqualTo(new Reading.Missing<>("nvmlGpmQueryDeviceSupport"));
  }

  @Test
  void bothSamplesAreFreed() {
    readAt(0);
    sampler.close();
    sampler.close();
    assertThat(library.count("nvmlGpmSampleAlloc")).isEqualTo(2);
    assertThat(library.count("nvmlGpmSampleFree")).isEqualTo(2);
  }

  @Test
  void theFirstSampleIsFreedIfTheSecondCannotBeAllocated() {
    AtomicInteger allocations = new AtomicInteger();
    library.with(
        "nvmlGpmSampleAlloc",
        arguments -> {
          ((PointerByReference) arguments[0]).setValue(Pointer.createConstant(1));
          return allocations.incrementAndGet() % 2 == 0 ? 20 : 0;
        });
    library.answering("nvmlGpmSampleFree", 0);
    assertThat(readingAt(0)).isEqualTo(new Reading.Failed<>("nvmlGpmSampleAlloc", "memory"));
    assertThat(readingAt(1)).isEqualTo(new Reading.Failed<>("nvmlGpmSampleAlloc", "memory"));
    assertThat(library.count("nvmlGpmSampleFree")).isEqualTo(2);
  }

  @Test
  void theIntervalIsTheTimeBetweenTwoSamples() throws InterruptedException {
    node.set("time", "live");
    NvmlGpu gpu = StillNode.gpu(node, 0);
    assertThat(gpu.gpm(METRICS)).isEqualTo(Reading.of(GpmValues.NONE));
    Thread.sleep(Duration.ofMillis(120).toMillis());
    assertThat(StillNode.present(gpu.gpm(METRICS)).seconds()).isGreaterThanOrEqualTo(0.12);
    gpu.close();
  }
}
