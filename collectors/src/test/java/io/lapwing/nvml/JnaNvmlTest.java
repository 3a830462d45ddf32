package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.Nvml.DriverVersions;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JnaNvmlTest {

  private Path dir;

  @BeforeEach
  void folder(@TempDir Path folder) {
    dir = folder;
  }

  @Test
  void aMissingLibraryIsNotFound() {
    String path = dir.resolve("libnvidia-ml.so.1").toString();
    assertThat(JnaNvml.load(path, System::nanoTime))
        .isEqualTo(new Reading.Failed<>(path, "library_not_found"));
  }

  @Test
  void aNameThatTheLinkerDoesNotFindIsNotFound() {
    assertThat(JnaNvml.load("libnvidia-ml-of-nobody.so.1", System::nanoTime).failure())
        .contains("library_not_found");
  }

  @Test
  void aTextFileIsNotNvml() throws IOException {
    Path text = Files.writeString(dir.resolve("libnvidia-ml.so.1"), "not a library\n");
    for (Path path : List.of(dir, text)) {
      assertThat(JnaNvml.load(path.toString(), System::nanoTime))
          .isEqualTo(new Reading.Failed<>(text.toString(), "not_nvml"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "usr/lib64",
        "usr/lib/x86_64-linux-gnu",
        "usr/lib/aarch64-linux-gnu",
        "lib64",
        "usr/lib",
        ""
      })
  void belowTheRootOfADriverItIsFoundWhereInstallersPutIt(String folder) throws IOException {
    Path root = dir.resolve("driver");
    assertThat(JnaNvml.load(root.toString(), System::nanoTime).failure())
        .as("no driver yet")
        .contains("library_not_found");
    Files.createDirectories(root.resolve(folder));
    assertThat(JnaNvml.load(root.toString(), System::nanoTime))
        .as("a driver without its library yet")
        .isEqualTo(
            new Reading.Failed<>(
                root.resolve("libnvidia-ml.so.1").toString(), "library_not_found"));

    Files.copy(
        StillNode.p5(dir).library(Variant.NEW), root.resolve(folder).resolve("libnvidia-ml.so.1"));
    assertThat(JnaNvml.load(root.toString(), System::nanoTime)).isInstanceOf(Reading.Present.class);
  }

  @Test
  void aLibraryWithoutNvmlInItIsNamedAsSuch() {
    String empty = StillNode.p5(dir).library(Variant.EMPTY).toString();
    assertThat(JnaNvml.load(empty, System::nanoTime))
        .isEqualTo(new Reading.Failed<>(empty, "not_nvml"));
  }

  @Test
  void theLibraryReturnsVersionsAndGpuCount() {
    SimulatedNode node = StillNode.p5(dir);
    node.set("driver.version", "570.133.20");
    node.set("nvml.version", "12.570.133.20");
    node.set("cuda.version", "12.8");
    Nvml nvml = StillNode.nvml(node);
    assertThat(nvml.versions())
        .isEqualTo(Reading.of(new DriverVersions("570.133.20", "12.570.133.20", "12.8")));
    assertThat(nvml.gpuCount()).isEqualTo(Reading.of(8));
    assertThat(nvml.simulated()).isTrue();
  }

  @Test
  void anUnreadableVersionIsEmptyUnlessItIsTheDrivers() {
    SimulatedNode node = StillNode.p5(dir);
    Nvml nvml = StillNode.nvml(node);
    node.set("system.return.nvmlSystemGetCudaDriverVersion_v2", "3");
    assertThat(StillNode.present(nvml.versions()).cuda()).isEmpty();
    node.set("system.return.nvmlSystemGetDriverVersion", "15");
    assertThat(nvml.versions())
        .isEqualTo(new Reading.Failed<>("nvmlSystemGetDriverVersion", "gpu_is_lost"));
  }

  @Test
  void initialisationFailsUntilTheDriverIsLoaded() {
    SimulatedNode node = StillNode.p5(dir);
    node.set("driver.loaded", "0");
    Nvml nvml = StillNode.present(JnaNvml.load(node.library().toString(), System::nanoTime));
    assertThat(nvml.init()).isEqualTo(new Reading.Failed<>("nvmlInit_v2", "driver_not_loaded"));
    node.set("driver.loaded", "1");
    assertThat(nvml.init()).isEqualTo(Reading.of(true));
  }

  @Test
  void everyCallFailsBeforeInitialisation() {
    Nvml nvml =
        StillNode.present(JnaNvml.load(StillNode.p5(dir).library().toString(), System::nanoTime));
    assertThat(nvml.versions().failure()).contains("uninitialized");
    assertThat(nvml.gpuCount().failure()).contains("uninitialized");
    assertThat(nvml.gpu(0).failure()).isPresent();
  }

  @Test
  void aLibraryWithOnlyTheFirstInitialisationIsInitialisedByIt() {
    ScriptedLibrary first = new ScriptedLibrary().answering("nvmlInit", 0);
    Nvml nvml = new JnaNvml(first.library(), System::nanoTime);
    assertThat(nvml.init()).isEqualTo(Reading.of(true));
    assertThat(nvml.simulated()).isFalse();
  }

  @Test
  void theHandleOfALostGpuAndOneBeyondTheLastFail() {
    SimulatedNode node = StillNode.p5(dir);
    node.set("gpu.3.lost", "1");
    Nvml nvml = StillNode.nvml(node);
    assertThat(nvml.gpu(3).failure()).contains("gpu_is_lost");
    assertThat(nvml.gpu(8).failure()).contains("invalid_argument");
    assertThat(StillNode.present(nvml.gpu(4)).index()).isEqualTo(4);
  }

  @Test
  void handlesFailAfterAReloadUntilANewInitialisation() {
    SimulatedNode node = StillNode.p5(dir);
    Nvml nvml = StillNode.nvml(node);
    NvmlGpu before = StillNode.present(nvml.gpu(0));
    node.set("driver.generation", "2");
    assertThat(before.temperature().failure()).contains("uninitialized");
    nvml.shutdown();
    StillNode.present(nvml.init());
    assertThat(StillNode.present(nvml.gpu(0)).temperature()).isInstanceOf(Reading.Present.class);
  }

  @Test
  void missingFunctionsAreListedAfterTheirFirstCall() {
    SimulatedNode node = StillNode.p5(dir);
    Nvml nvml = StillNode.nvml(node, Variant.OLD);
    assertThat(nvml.missingSymbols()).isEmpty();
    NvmlGpu gpu = StillNode.present(nvml.gpu(0));
    assertThat(gpu.marginTemperature())
        .isEqualTo(new Reading.Missing<>("nvmlDeviceGetMarginTemperature"));
    assertThat(gpu.temperature()).isInstanceOf(Reading.Present.class);
    assertThat(nvml.missingSymbols())
        .containsExactly("nvmlDeviceGetMarginTemperature", "nvmlDeviceGetTemperatureV");
  }

  @Test
  void missingUnsupportedAndFailedAreDistinct() {
    SimulatedNode node = StillNode.p5(dir);
    node.set("gpu.0.mig.mode", "unsupported");
    node.set("gpu.0.return.nvmlDeviceGetPowerUsage", "4");
    NvmlGpu gpu = StillNode.gpu(node, Variant.OLD, 0);
    assertThat(gpu.sramEccStatus()).isInstanceOf(Reading.Missing.class);
    assertThat(gpu.memoryUnrepairable()).isInstanceOf(Reading.Missing.class);
    assertThat(gpu.migMode()).isInstanceOf(Reading.Unsupported.class);
    assertThat(gpu.powerUsage())
        .isEqualTo(new Reading.Failed<>("nvmlDeviceGetPowerUsage", "no_permission"));
    assertThat(gpu.absences())
        .containsExactly(
            "nvmlDeviceGetMigMode: not supported",
            "nvmlDeviceGetSramEccErrorStatus: not in this library",
            "nvmlDeviceGetUnrepairableMemoryFlag_v1: not in this library");
  }
}
