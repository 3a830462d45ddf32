package io.lapwing.simulator;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailuresTest {
  private SimulatedNode node;
  private Nvml nvml;
  private Pointer gpu;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = TestNode.p5(dir);
    nvml = Nvml.of(node);
    gpu = nvml.device(3);
  }

  @AfterEach
  void closeLibrary() {
    nvml.close();
  }

  @Test
  void aCallReturnsTheCodeInTheState() {
    Pointer other = nvml.device(2);
    for (int code : IntStream.concat(IntStream.rangeClosed(1, 29), IntStream.of(999)).toArray()) {
      node.set("gpu.3.return.nvmlDeviceGetTemperature", Integer.toString(code));
      assertThat(nvml.temperatureCode(gpu)).isEqualTo(code);
      assertThat(nvml.temperatureCode(other)).isZero();
    }
    node.clear("gpu.3.return.nvmlDeviceGetTemperature");
    assertThat(nvml.temperatureCode(gpu)).isZero();
  }

  @Test
  void aStarMeansEveryCall() {
    node.set("gpu.3.return.*", "999");
    assertThat(nvml.temperatureCode(gpu)).isEqualTo(999);
    assertThat(nvml.call("nvmlDeviceValidateInforom", gpu)).isEqualTo(999);
  }

  @Test
  void oneFieldValueFailsAlone() {
    node.set("gpu.3.fieldreturn.82", "999");
    node.set("gpu.3.field.142", "7");
    assertThat(nvml.field(gpu, 82).code()).isEqualTo(999);
    assertThat(nvml.field(gpu, 142)).isEqualTo(new Nvml.FieldValue(0, 1, 7));
  }

  @Test
  void aBlockedCallHangsUntilTheStateChangesAndDoesNotBlockOthers() throws Exception {
    node.set("gpu.3.block.*", "forever");
    CompletableFuture<Integer> hanging =
        CompletableFuture.supplyAsync(() -> nvml.temperatureCode(gpu));
    assertThatThrownBy(() -> hanging.get(100, MILLISECONDS)).isInstanceOf(TimeoutException.class);
    assertThat(nvml.temperatureCode(nvml.device(2))).isZero();
    node.clear("gpu.3.block.*");
    assertThat(hanging.get(20, SECONDS)).isZero();
  }

  @Test
  void aCallThatBlocksForSecondsAnswersAfterThem() {
    node.set("gpu.3.block.nvmlDeviceGetTemperature", "0.1");
    long began = System.nanoTime();
    assertThat(nvml.temperatureCode(gpu)).isZero();
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(100_000_000L);
  }

  @Test
  void aCallWithoutDeviceFailsAndBlocksByItsOwnLines() throws Exception {
    node.set("system.return.nvmlDeviceGetCount_v2", "4");
    assertThat(nvml.call("nvmlDeviceGetCount_v2", new PointerByReference())).isEqualTo(4);
    node.set("system.block.nvmlSystemGetNVMLVersion", "forever");
    CompletableFuture<Integer> hanging =
        CompletableFuture.supplyAsync(() -> nvml.call("nvmlSystemGetNVMLVersion", Pointer.NULL, 0));
    assertThatThrownBy(() -> hanging.get(100, MILLISECONDS)).isInstanceOf(TimeoutException.class);
    node.clear("system.block.nvmlSystemGetNVMLVersion");
    assertThat(hanging.get(20, SECONDS)).isEqualTo(2);
  }

  @Test
  void aLostGpuAnswersFifteenToEverythingAndComesBack() {
    node.set("gpu.3.lost", "1");
    assertThat(nvml.temperatureCode(gpu)).isEqualTo(15);
    assertThat(nvml.call("nvmlDeviceGetHandleByIndex_v2", 3, new PointerByReference()))
        .isEqualTo(15);
    assertThat(nvml.deviceCount()).isEqualTo(8);
    node.clear("gpu.3.lost");
    assertThat(nvml.temperatureCode(gpu)).isZero();
  }

  @Test
  void aGpuMissingAtInitIsNotCountedAndTheOthersMoveDown() {
    String fifth = nvml.text("nvmlDeviceGetUUID", nvml.device(4));
    node.set("gpu.3.missing", "1");
    assertThat(nvml.deviceCount()).isEqualTo(8);
    nvml.call("nvmlShutdown");
    nvml.call("nvmlInit_v2");
    assertThat(nvml.deviceCount()).isEqualTo(7);
    assertThat(nvml.text("nvmlDeviceGetUUID", nvml.device(3))).isEqualTo(fifth);
    assertThat(nvml.number("nvmlDeviceGetMinorNumber", nvml.device(3))).isEqualTo(4);
  }

  @Test
  void withoutDriverEveryCallAnswersNine() {
    node.set("driver.loaded", "0");
    assertThat(nvml.temperatureCode(gpu)).isEqualTo(9);
    assertThat(nvml.call("nvmlInit_v2")).isEqualTo(9);
    assertThat(node.sysfs().resolve("module/nvidia/version")).doesNotExist();
  }

  @Test
  void afterADriverUpgradeOldHandlesAreUninitialisedUntilInit() {
    node.set("driver.loaded", "0");
    node.setAll(
        Map.of("driver.loaded", "1", "driver.generation", "2", "driver.version", "580.105.08"));
    assertThat(nvml.temperatureCode(gpu)).isEqualTo(1);
    nvml.call("nvmlShutdown");
    nvml.call("nvmlInit_v2");
    assertThat(nvml.temperatureCode(nvml.device(3))).isZero();
    assertThat(node.sysfs().resolve("module/nvidia/version")).hasContent("580.105.08");
  }

  @Test
  void aLibraryThatDoesNotMatchTheDriverReportsIt() {
    node.set("driver.mismatch", "1");
    assertThat(nvml.temperatureCode(gpu)).isEqualTo(18);
  }

  @Test
  void anInvalidHandleIsRefused() {
    assertThat(nvml.temperatureCode(new Pointer(64))).isEqualTo(2);
  }

  @Test
  void beforeInitAndAfterShutdownCallsAreUninitialised() {
    nvml.call("nvmlShutdown");
    assertThat(nvml.temperatureCode(gpu)).isEqualTo(1);
  }

  @Test
  void aShutdownCanHangAndWorksWithoutDriver() throws Exception {
    node.set("driver.loaded", "0");
    node.set("system.block.nvmlShutdown", "forever");
    CompletableFuture<Integer> hanging =
        CompletableFuture.supplyAsync(() -> nvml.call("nvmlShutdown"));
    assertThatThrownBy(() -> hanging.get(100, MILLISECONDS)).isInstanceOf(TimeoutException.class);
    node.clear("system.block.nvmlShutdown");
    assertThat(hanging.get(20, SECONDS)).isZero();
    assertThat(nvml.call("nvmlShutdown")).isEqualTo(1);
  }
}
