package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VariantsTest {
  private static final int VERSION_MISMATCH = 25;

  private Path dir;

  @BeforeEach
  void useFolder(@TempDir Path folder) {
    dir = folder;
  }

  private static int versioned(Nvml nvml, String call, int version, int bytes) {
    Memory struct = new Memory(bytes);
    struct.clear();
    struct.setInt(0, version);
    return nvml.call(call, nvml.device(0), struct);
  }

  private Nvml open(Variant variant) {
    Nvml nvml = new Nvml(TestNode.p5(dir).library(variant));
    nvml.call("nvmlInit_v2");
    return nvml;
  }

  @Test
  void anOldDriverLacksTheNewerSymbols() {
    try (Nvml nvml = open(Variant.OLD)) {
      for (String symbol :
          new String[] {
            "nvmlGpmSampleGet",
            "nvmlGpmQueryDeviceSupport",
            "nvmlDeviceGetGpuFabricInfoV",
            "nvmlDeviceGetMarginTemperature",
            "nvmlDeviceGetSramEccErrorStatus",
            "nvmlDeviceGetCurrentClocksEventReasons",
            "nvmlDeviceGetTemperatureV",
            "nvmlEventSetWait_v2"
          }) {
        assertThat(nvml.has(symbol)).as(symbol).isFalse();
      }
      assertThat(nvml.has("nvmlDeviceGetCurrentClocksThrottleReasons")).isTrue();
      assertThat(nvml.has("nvmlEventSetWait")).isTrue();
    }
  }

  @Test
  void anOldDriverTakesOnlyTheFirstMemoryInfo() {
    try (Nvml nvml = open(Variant.OLD)) {
      Pointer gpu = nvml.device(0);
      assertThat(versioned(nvml, "nvmlDeviceGetMemoryInfo_v2", 0x02000028, 40))
          .isEqualTo(VERSION_MISMATCH);
      Memory memory = new Memory(24);
      assertThat(nvml.call("nvmlDeviceGetMemoryInfo", gpu, memory)).isZero();
      assertThat(memory.getLong(0)).isEqualTo(85_520_809_984L);
      assertThat(memory.getLong(8) + memory.getLong(16)).isEqualTo(memory.getLong(0));
    }
  }

  @Test
  void aDriverDoesNotKnowFieldsThatCameAfterIt() {
    try (Nvml nvml = open(Variant.OLD)) {
      assertThat(nvml.field(nvml.device(0), 166).code()).isZero();
      assertThat(nvml.field(nvml.device(0), 185).code()).isEqualTo(2);
    }
    try (Nvml nvml = open(Variant.MID)) {
      assertThat(nvml.field(nvml.device(0), 185).code()).isZero();
      assertThat(nvml.field(nvml.device(0), 230).code()).isEqualTo(2);
    }
  }

  @Test
  void fabricInfoIsNegotiatedDown() {
    try (Nvml nvml = open(Variant.NEW)) {
      assertThat(versioned(nvml, "nvmlDeviceGetGpuFabricInfoV", 0x03000028, 40)).isZero();
      assertThat(versioned(nvml, "nvmlDeviceGetGpuFabricInfoV", 0x01000028, 40))
          .isEqualTo(VERSION_MISMATCH);
    }
    try (Nvml nvml = open(Variant.MID)) {
      assertThat(versioned(nvml, "nvmlDeviceGetGpuFabricInfoV", 0x03000028, 40))
          .isEqualTo(VERSION_MISMATCH);
      assertThat(versioned(nvml, "nvmlDeviceGetGpuFabricInfoV", 0x02000024, 36)).isZero();
    }
  }

  @Test
  void anEmptyLibraryLoadsAndHasNothing() {
    try (Nvml nvml = new Nvml(TestNode.p5(dir).library(Variant.EMPTY))) {
      assertThat(nvml.has("nvmlInit_v2")).isFalse();
    }
  }

  @Test
  void aNodeWithAnOldLibraryHasAnOldDriverEverywhere() {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge"), Variant.OLD);
    try (Nvml nvml = Nvml.of(node)) {
      Memory version = new Memory(80);
      nvml.call("nvmlSystemGetDriverVersion", version, 80);
      assertThat(version.getString(0)).isEqualTo("520.61.05");
      assertThat(nvml.has("nvmlGpmSampleGet")).isFalse();
    }
    assertThat(node.sysfs().resolve("module/nvidia/version")).hasContent("520.61.05");
  }
}
