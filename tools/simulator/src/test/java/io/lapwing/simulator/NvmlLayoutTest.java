package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NvmlLayoutTest {
  @Test
  void theStructsAreThoseOfThePublishedInterface() {
    assertThat(NvmlLayout.load().facts())
        .containsAllEntriesOf(
            Map.of(
                "nvmlFieldValue_t size", 40L,
                "nvmlFieldValue_t.fieldId", 0L,
                "nvmlFieldValue_t.value", 32L,
                "nvmlPciInfo_t size", 68L,
                "nvmlPciInfo_t.busId", 36L,
                "nvmlEventData_t size", 32L,
                "nvmlGpmMetricsGet_t size", 13_344L,
                "nvmlMemory_v2_t version", 0x02000028L,
                "nvmlGpuFabricInfo_v3_t version", 0x03000028L,
                "nvmlEccSramErrorStatus_v1_t.bThresholdExceeded", 96L));
    assertThat(NvmlLayout.load().facts())
        .containsEntry("nvmlUnrepairableMemoryStatus_v1_t size", 4L)
        .containsEntry("nvmlUnrepairableMemoryStatus_v1_t.bUnrepairableMemory", 0L);
  }
}
