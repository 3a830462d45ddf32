package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.JnaNvml;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NvmlDriverTest {

  private static NvmlDriver of(Path library) {
    return new NvmlDriver(() -> JnaNvml.load(library.toString(), System::nanoTime));
  }

  private static NvmlDriver of(Nvml nvml) {
    return new NvmlDriver(() -> Reading.of(nvml));
  }

  @Test
  void withoutALibraryTheSourceIsAbsent(@TempDir Path dir) {
    Path library = dir.resolve("libnvidia-ml.so.1");
    assertThat(of(library).attach())
        .isEqualTo(new Access.NothingHere("no NVIDIA driver library: " + library));
  }

  @Test
  void aLibraryThatIsNotNvmlIsNamed(@TempDir Path dir) {
    Path empty = StillNode.p5(dir).library(Variant.EMPTY);
    assertThat(of(empty).attach())
        .isEqualTo(new Access.Down("not_nvml", empty + " is not an NVML library"));
  }

  /** A file that is there and cannot be loaded is a fault of this node, not the lack of a GPU. */
  @Test
  void aFileThatIsNoLibraryIsNamed(@TempDir Path dir) throws IOException {
    Path text = Files.writeString(dir.resolve("libnvidia-ml.so.1"), "not a library\n");
    assertThat(of(text).attach())
        .isEqualTo(new Access.Down("not_nvml", text + " is not an NVML library"));
    assertThat(of(dir).attach())
        .as("the root of a driver")
        .isEqualTo(new Access.Down("not_nvml", text + " is not an NVML library"));
  }

  @Test
  void aLibraryThatComesLaterIsFound() {
    FakeNvml nvml = new FakeNvml(2);
    AtomicInteger asked = new AtomicInteger();
    NvmlDriver driver =
        new NvmlDriver(
            () ->
                asked.incrementAndGet() < 3
                    ? new Reading.Failed<>("lib", "library_not_found")
                    : Reading.of(nvml));
    assertThat(driver.attach()).isInstanceOf(Access.NothingHere.class);
    assertThat(driver.attach()).isInstanceOf(Access.NothingHere.class);
    assertThat(driver.attach()).isEqualTo(Access.READY);
    assertThat(driver.attach()).isEqualTo(Access.READY);
    assertThat(asked).hasValue(3);
    assertThat(driver.gpuCount()).isEqualTo(2);
  }

  @Test
  void aDriverThatIsNotLoadedIsDownUntilItIs(@TempDir Path dir) {
    SimulatedNode node = StillNode.p5(dir);
    node.set("driver.loaded", "0");
    NvmlDriver driver = of(node.library());
    assertThat(driver.attach())
        .isEqualTo(new Access.Down("driver_not_loaded", "nvmlInit_v2 answers driver_not_loaded"));
    assertThat(driver.nvml()).isEmpty();
    node.set("driver.loaded", "1");
    assertThat(driver.attach()).isEqualTo(Access.READY);
    assertThat(driver.reloads()).isZero();
    assertThat(driver.gpuCount()).isEqualTo(8);
    assertThat(driver.simulated()).isTrue();
  }

  @Test
  void oneInitialisationServesForLife() {
    FakeNvml nvml = new FakeNvml(1);
    NvmlDriver driver = of(nvml);
    for (int round = 0; round < 5; round++) {
      assertThat(driver.attach()).isEqualTo(Access.READY);
    }
    assertThat(nvml.initialisations()).isEqualTo(1);
    assertThat(driver.generation()).isEqualTo(1);
  }

  @Test
  void aDriverUpgradeIsNoticedCountedAndItsVersionExposed(@TempDir Path dir) {
    SimulatedNode node = StillNode.p5(dir);
    NvmlDriver driver = of(node.library());
    driver.attach();
    node.set("driver.loaded", "0");
    assertThat(driver.attach()).isInstanceOf(Access.Down.class);
    node.setAll(
        java.util.Map.of(
            "driver.loaded", "1", "driver.generation", "2", "driver.version", "580.105.08"));
    assertThat(driver.attach()).isEqualTo(Access.READY);
    assertThat(driver.reloads()).isEqualTo(1);
    assertThat(driver.generation()).isEqualTo(2);
    assertThat(driver.versions().driver()).isEqualTo("580.105.08");
  }

  @Test
  void aReplacementBetweenTwoRoundsIsDetectedByTheVersion() {
    FakeNvml nvml = new FakeNvml(1);
    NvmlDriver driver = of(nvml);
    driver.attach();
    nvml.versions("580.1", "13.580.1", "13.0");
    assertThat(driver.attach()).isEqualTo(Access.READY);
    assertThat(driver.reloads()).isEqualTo(1);
    assertThat(driver.versions().cuda()).isEqualTo("13.0");
  }

  /** Only the driver's own version shows a replacement; the others may fail temporarily. */
  @Test
  void aVersionThatCannotBeReadForAMomentIsNoReload(@TempDir Path dir) {
    SimulatedNode node = StillNode.p5(dir);
    NvmlDriver driver = of(node.library());
    driver.attach();
    node.set("system.return.nvmlSystemGetCudaDriverVersion_v2", "10");
    assertThat(driver.attach()).isEqualTo(Access.READY);
    assertThat(driver.reloads()).isZero();
    assertThat(driver.versions().cuda()).isEqualTo("13.0");
  }

  @Test
  void aMismatchOfLibraryAndDriverIsDownWithThatReason(@TempDir Path dir) {
    SimulatedNode node = StillNode.p5(dir);
    NvmlDriver driver = of(node.library());
    driver.attach();
    node.set("driver.mismatch", "1");
    assertThat(driver.attach())
        .isInstanceOfSatisfying(
            Access.Down.class,
            down -> assertThat(down.reason()).isEqualTo("lib_rm_version_mismatch"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"uninitialized", "driver_not_loaded", "lib_rm_version_mismatch"})
  void aFailureOfAnUnloadedDriverInitialisesItAgain(String reason) {
    FakeNvml nvml = new FakeNvml(1);
    NvmlDriver driver = of(nvml);
    driver.attach();
    driver.suspect(reason);
    assertThat(driver.attach()).isEqualTo(Access.READY);
    assertThat(nvml.initialisations()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gpu_is_lost", "timeout", "unknown"})
  void aFailureOfOneGpuLeavesTheDriverAlone(String reason) {
    FakeNvml nvml = new FakeNvml(1);
    NvmlDriver driver = of(nvml);
    driver.attach();
    driver.suspect(reason);
    driver.attach();
    assertThat(nvml.initialisations()).isEqualTo(1);
  }

  @Test
  void aDriverThatCannotCountItsGpusIsDown(@TempDir Path dir) {
    SimulatedNode node = StillNode.p5(dir);
    node.set("system.return.nvmlDeviceGetCount_v2", "999");
    NvmlDriver driver = of(node.library());
    assertThat(driver.attach()).isEqualTo(new Access.Down("unknown", "the driver answers unknown"));
    node.clear("system.return.nvmlDeviceGetCount_v2");
    assertThat(driver.attach()).isEqualTo(Access.READY);
    assertThat(driver.reloads()).isZero();
  }
}
