package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.web.LiveTables.LiveTable;
import io.lapwing.metric.Labels;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveTablesTest {

  private static final LiveTable GPUS = table("gpus");
  private static final LiveTable INSTANCES = table("gpu_instances");
  private static final Labels GPU = Labels.of("gpu", "0", "UUID", "GPU-0");

  private static LiveTable table(String name) {
    return LiveTables.ALL.stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theRowOfAGpuHasNoValuesOfItsMigInstances() {
    assertThat(GPUS.key(GPU)).contains(List.of("0", "GPU-0"));
    assertThat(GPUS.key(GPU.with("GPU_I_PROFILE", "1g.10gb").with("GPU_I_ID", "7"))).isEmpty();
  }

  @Test
  void theJobOfAnInstanceIsInBothRows() {
    Labels job = GPU.with("job_id", "4711").with("GPU_I_ID", "7");
    assertThat(GPUS.key(job)).contains(List.of("0", "GPU-0"));
    assertThat(INSTANCES.key(job)).contains(List.of("0", "GPU-0", "7"));
  }

  @Test
  void anInstanceHasNoValuesOfItsGpu() {
    assertThat(INSTANCES.key(GPU)).isEmpty();
    assertThat(INSTANCES.key(GPU.with("job_id", "4711").with("GPU_I_ID", ""))).isEmpty();
  }
}
