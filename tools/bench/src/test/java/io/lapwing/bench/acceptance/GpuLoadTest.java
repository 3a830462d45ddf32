package io.lapwing.bench.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuLoadTest {

  private final Path dir;
  private final SimulatedNode node;
  private final List<String> uuids;

  GpuLoadTest(@TempDir Path dir) {
    this.dir = dir;
    node = SimulatedNode.create(dir.resolve("n"), InstanceType.named("p5.48xlarge").withoutEfa());
    uuids = List.of(node.lines().get("gpu.0.uuid"), node.lines().get("gpu.1.uuid"));
  }

  @Test
  void eachGpuComputesUntilTheEndAndWrongResultsAreNoted() throws Exception {
    GpuLoad load = GpuLoad.start(node.cudaLibrary().toString(), uuids, dir);
    try (load) {
      assertThat(load.problem()).isEmpty();
      assertThat(load.right(uuids.get(1))).isTrue();

      node.set("gpu.1.cuda.wrong", "1");
      Awaitility.await().until(() -> !load.right(uuids.get(1)));
      assertThat(load.right(uuids.get(0))).isTrue();
    }
    assertThat(load.problem()).isPresent();
  }

  @Test
  void aGpuThatFailsMeanwhileIsAProblem() throws Exception {
    try (GpuLoad load = GpuLoad.start(node.cudaLibrary().toString(), uuids, dir)) {
      node.set("gpu.0.return.cuLaunchKernel", "700");
      Awaitility.await().until(() -> load.problem().isPresent());
      assertThat(load.problem().orElseThrow()).contains("cuLaunchKernel");
    }
  }

  @Test
  void aHostWithoutCudaIsNamed() {
    assertThatThrownBy(() -> GpuLoad.start("libcuda-of-nobody.so.1", uuids, dir))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("libcuda-of-nobody.so.1: library_not_found");
    assertThatThrownBy(
            () -> GpuLoad.start(node.cudaLibrary().toString(), List.of("GPU-other"), dir))
        .hasMessageContaining("CUDA does not show GPU-other");
  }
}
