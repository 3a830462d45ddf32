package io.lapwing.drain.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GpuCountTest {

  @Test
  void gpusOfANodeOrRequestAreCountedOverTheirTypes() {
    assertThat(GpuCount.ofGres("gpu:8")).isEqualTo(8);
    assertThat(GpuCount.ofGres("gpu:h100:8(S:0-1)")).isEqualTo(8);
    assertThat(GpuCount.ofGres("gpu:h100:4(IDX:0-1,3),gpu:a10g:2,nvme:1")).isEqualTo(6);
    assertThat(GpuCount.ofGres("gres:gpu:2")).isEqualTo(2);
    assertThat(GpuCount.ofGres("gres/gpu:h100:8")).isEqualTo(8);
    assertThat(GpuCount.ofGres("gres/gpu:h100=8")).isEqualTo(8);
    assertThat(GpuCount.ofGres("gpu")).isEqualTo(1);
    assertThat(GpuCount.ofGres("(null)")).isZero();
    assertThat(GpuCount.ofGres("gpumem:80")).isZero();
  }

  @Test
  void gpusAmongTheResourcesAreCountedOnce() {
    assertThat(GpuCount.ofTres("cpu=192,mem=1940G,gres/gpu=8,gres/gpu:h100=8")).isEqualTo(8);
    assertThat(GpuCount.ofTres("gres/gpu:h100=8")).isZero();
    assertThat(GpuCount.ofTres("")).isZero();
  }

  @Test
  void whatAJobRequestedCountsWhereSlurmDoesNot() {
    assertThat(GpuCount.ofJob("cpu=1,gres/gpu=3", "gres:gpu:9", "gres:gpu:8", 2)).isEqualTo(3);
    assertThat(GpuCount.ofJob("cpu=1", "gres:gpu:9", "N/A", 2)).isEqualTo(9);
    assertThat(GpuCount.ofJob("cpu=1", "N/A", "gres:gpu:8", 2)).isEqualTo(16);
    assertThat(GpuCount.ofJob("cpu=1", "N/A", "N/A", 2)).isZero();
  }
}
