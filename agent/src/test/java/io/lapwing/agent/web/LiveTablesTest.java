package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.web.LiveTables.LiveTable;
import io.lapwing.metric.Labels;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveTablesTest {

  private static final LiveTable GPUS = LiveTables.ALL.get(0);
  private static final Labels GPU = Labels.of("gpu", "0", "UUID", "GPU-0");

  @Test
  void theRowOfAGpuHasNoValuesOfItsMigInstances() {
    assertThat(GPUS.key(GPU)).contains(List.of("0", "GPU-0"));
    assertThat(GPUS.key(GPU.with("GPU_I_PROFILE", "1g.10gb").with("GPU_I_ID", "7"))).isEmpty();
  }

  @Test
  void theJobOfAnInstanceIsInTheRowOfItsGpu() {
    assertThat(GPUS.key(GPU.with("job_id", "4711").with("GPU_I_ID", "7")))
        .contains(List.of("0", "GPU-0"));
  }
}
