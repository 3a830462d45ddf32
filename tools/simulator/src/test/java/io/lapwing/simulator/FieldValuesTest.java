package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Pointer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FieldValuesTest {
  private static final int UNSIGNED_INT = 1;
  private static final int UNSIGNED_LONG_LONG = 3;
  private static final int SIGNED_INT = 5;
  private static final int INVALID_ARGUMENT = 2;
  private static final int NOT_SUPPORTED = 3;

  private Path dir;

  @BeforeEach
  void useFolder(@TempDir Path folder) {
    dir = folder;
  }

  @Test
  void valuesHaveTheTypesOfTheRealLibrary() {
    SimulatedNode node = TestNode.p5(dir);
    node.set("gpu.0.temperature.memory", "61");
    node.set("gpu.0.power", "612.3");
    try (Nvml nvml = Nvml.of(node)) {
      Pointer gpu = nvml.device(0);
      assertThat(nvml.field(gpu, 82)).isEqualTo(new Nvml.FieldValue(0, UNSIGNED_INT, 61));
      assertThat(nvml.field(gpu, 185)).isEqualTo(new Nvml.FieldValue(0, UNSIGNED_INT, 612_300));
      assertThat(nvml.field(gpu, 83).type()).isEqualTo(UNSIGNED_LONG_LONG);
      assertThat(nvml.field(gpu, 193)).isEqualTo(new Nvml.FieldValue(0, SIGNED_INT, 0xffff_fff8L));
    }
  }

  @Test
  void eccTotalsAreDramAndSramTogether() {
    SimulatedNode node = TestNode.p5(dir);
    node.set("gpu.0.ecc.corrected.volatile.dram", "5");
    node.set("gpu.0.ecc.corrected.volatile.sram", "2");
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(nvml.field(nvml.device(0), 3).bits()).isEqualTo(7);
      assertThat(nvml.field(nvml.device(0), 4).bits()).isZero();
      assertThat(nvml.wideNumber("nvmlDeviceGetTotalEccErrors", nvml.device(0), 0, 0)).isEqualTo(7);
    }
  }

  @Test
  void aRecordedAnswerIsOfItsScopeOnly() {
    SimulatedNode node = TestNode.p5(dir);
    node.set("gpu.0.field.138.5", "1234567890123");
    node.set("gpu.0.field.138.all", "9");
    node.set("gpu.0.fieldreturn.138.6", "999");
    node.set("gpu.0.field.193.0", "-7");
    try (Nvml nvml = Nvml.of(node)) {
      Pointer gpu = nvml.device(0);
      assertThat(nvml.field(gpu, 138, 5))
          .isEqualTo(new Nvml.FieldValue(0, UNSIGNED_LONG_LONG, 1_234_567_890_123L));
      assertThat(nvml.field(gpu, 138, Nvml.ALL_LINKS).bits()).isEqualTo(9);
      assertThat(nvml.field(gpu, 138, 6).code()).isEqualTo(999);
      assertThat(nvml.field(gpu, 138, 7).code()).isZero();
      assertThat(nvml.field(gpu, 193)).isEqualTo(new Nvml.FieldValue(0, SIGNED_INT, 0xffff_fff9L));
      assertThat(nvml.field(nvml.device(1), 138, 6).code()).isZero();

      node.set("gpu.0.field.138.6", "3");
      assertThat(nvml.field(gpu, 138, 6)).isEqualTo(new Nvml.FieldValue(0, UNSIGNED_LONG_LONG, 3));
      assertThat(nvml.call("lapwing_ignored_lines")).isZero();
      node.setAll(
          Map.of(
              "gpu.0.field.138.x", "1",
              "gpu.0.field.0.1", "1",
              "gpu.0.field.138.1", "54 ~ 3",
              "gpu.0.fieldreturn.138.2", "0"));
      assertThat(nvml.field(gpu, 138, 7).code()).isZero();
      assertThat(nvml.call("lapwing_ignored_lines")).isEqualTo(4);
    }
  }

  @Test
  void nvlinkBytesAreCountedByLinkAndForAllLinks() {
    SimulatedNode node = TestNode.p5(dir);
    node.set("gpu.0.nvlink.tx", "18");
    try (Nvml nvml = Nvml.of(node)) {
      Pointer gpu = nvml.device(0);
      long all = nvml.field(gpu, 138, Nvml.ALL_LINKS).bits();
      long one = nvml.field(gpu, 138, 17).bits();
      TestNode.letPass(node, 10);
      assertThat(nvml.field(gpu, 138, Nvml.ALL_LINKS).bits() - all).isEqualTo(180 * 1024);
      assertThat(nvml.field(gpu, 138, 17).bits() - one).isEqualTo(10 * 1024);
      assertThat(nvml.field(gpu, 138, 18).code()).isEqualTo(INVALID_ARGUMENT);
    }
  }

  @Test
  void oneLinkCarriesTheErrorsAndALinkThatIsDownIsInactive() {
    SimulatedNode node = TestNode.p5(dir);
    node.set("gpu.0.nvlink.crc_flit", "9");
    node.set("gpu.0.nvlink.error.link", "7");
    node.set("gpu.0.nvlink.inactive", "5 7");
    try (Nvml nvml = Nvml.of(node)) {
      Pointer gpu = nvml.device(0);
      assertThat(nvml.field(gpu, 38).bits()).isEqualTo(9);
      assertThat(nvml.wideNumber("nvmlDeviceGetNvLinkErrorCounter", gpu, 7, 2)).isEqualTo(9);
      assertThat(nvml.wideNumber("nvmlDeviceGetNvLinkErrorCounter", gpu, 6, 2)).isZero();
      assertThat(nvml.number("nvmlDeviceGetNvLinkState", gpu, 7)).isZero();
      assertThat(nvml.number("nvmlDeviceGetNvLinkState", gpu, 6)).isEqualTo(1);
      assertThat(nvml.field(gpu, 165, 5).bits()).isZero();
      assertThat(nvml.field(gpu, 147).bits()).isEqualTo(16);
    }
  }

  @Test
  void hopperDoesNotSupportRetiredPagesNorTheFifthNvlink() {
    try (Nvml nvml = Nvml.of(TestNode.p5(dir))) {
      Pointer gpu = nvml.device(0);
      for (int id : new int[] {29, 30, 31, 201, 215, 222, 231}) {
        assertThat(nvml.field(gpu, id).code()).as("field %d", id).isEqualTo(NOT_SUPPORTED);
      }
    }
  }

  @Test
  void blackwellSupportsTheFifthNvlinkAndNotTheFourthsCounters() {
    try (Nvml nvml = Nvml.of(TestNode.of("p6-b200.48xlarge", dir))) {
      Pointer gpu = nvml.device(0);
      assertThat(nvml.field(gpu, 202).code()).isZero();
      assertThat(nvml.field(gpu, 222).code()).isZero();
      assertThat(nvml.field(gpu, 38).code()).isEqualTo(NOT_SUPPORTED);
      assertThat(nvml.field(gpu, 161).code()).isEqualTo(NOT_SUPPORTED);
    }
  }

  @Test
  void anL4HasNoNvlinkAndNoMemoryTemperature() {
    try (Nvml nvml = Nvml.of(TestNode.of("g6.xlarge", dir))) {
      Pointer gpu = nvml.device(0);
      assertThat(nvml.deviceCount()).isEqualTo(1);
      assertThat(nvml.field(gpu, 82).code()).isEqualTo(NOT_SUPPORTED);
      assertThat(nvml.field(gpu, 138, Nvml.ALL_LINKS).code()).isEqualTo(NOT_SUPPORTED);
      assertThat(nvml.field(gpu, 38).code()).isEqualTo(NOT_SUPPORTED);
    }
  }

  @Test
  void anUnknownIdIsAnInvalidArgument() {
    try (Nvml nvml = Nvml.of(TestNode.p5(dir))) {
      for (int id : new int[] {0, 303, 1000, -1}) {
        assertThat(nvml.field(nvml.device(0), id).code()).as("field %d", id).isEqualTo(2);
      }
    }
  }

  @Test
  void pcieByteCountersWrapAtTheLimitInTheState() {
    SimulatedNode node = TestNode.p5(dir);
    node.set("gpu.0.pcie.tx", "1");
    node.set("gpu.0.pcie.bytes.wrap", "4294967296");
    try (Nvml nvml = Nvml.of(node)) {
      TestNode.letPass(node, 4096 + 3);
      assertThat(nvml.field(nvml.device(0), 197).bits()).isEqualTo(3 << 20);
    }
  }
}
