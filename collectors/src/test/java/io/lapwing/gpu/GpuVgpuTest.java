package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.nvml.CountedNvml;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.VirtualizationMode;
import io.lapwing.nvml.StillNode;
import io.lapwing.nvml.Vgpu;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The subject on the simulated library, and what it does with foreign text. */
class GpuVgpuTest {

  private static final String VM = "5f0e2a14-0000-4000-8000-000000000001";
  private static final String UUID = "vgpu_uuid=\"00000000-0000-4000-8000-000000001002\"";

  private SimulatedNode node;
  private CountedNvml counted;
  private Probe gpu;
  private RecordedSink latest = new RecordedSink();

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.p5(dir);
    counted = new CountedNvml(node);
    NvmlGpu first = StillNode.present(StillNode.initialised(counted.nvml()).gpu(0));
    gpu = new Probe(new GpuVgpu(), first);
  }

  private List<String> lines(double seconds) {
    StillNode.letPass(node, seconds);
    latest = gpu.at(seconds);
    return latest.gpuLines();
  }

  private void host() {
    node.setAll(
        Map.of(
            "gpu.*.virtualization", "3", "gpu.0.vgpu.2", "20480 5 40 " + VM + " NVIDIA H100-20C"));
  }

  @Test
  void aHostHasItsActiveVgpus() {
    host();
    assertThat(lines(60))
        .containsExactly(
            "lapwing_gpu_virtualization_info{mode=\"HOST_VGPU\"} 1",
            "lapwing_gpu_vgpus 1",
            "lapwing_gpu_vgpu_info{"
                + UUID
                + ",vgpu_type=\"NVIDIA H100-20C\",vm_id=\""
                + VM
                + "\"} 1",
            "lapwing_gpu_vgpu_memory_bytes{" + UUID + "} 21474836480",
            "lapwing_gpu_vgpu_memory_used_bytes{" + UUID + "} 8589934560",
            "lapwing_gpu_vgpu_license_state{" + UUID + ",state=\"LICENSED\"} 1",
            "lapwing_gpu_vgpu_utilization_ratio{" + UUID + ",engine=\"sm\"} 0.4",
            "lapwing_gpu_vgpu_utilization_ratio{" + UUID + ",engine=\"memory\"} 0.2",
            "lapwing_gpu_vgpu_utilization_ratio{" + UUID + ",engine=\"encoder\"} 0",
            "lapwing_gpu_vgpu_utilization_ratio{" + UUID + ",engine=\"decoder\"} 0");
  }

  @Test
  void aVgpuThatIsGoneHasNoSeriesAndOneThatComesHas() {
    host();
    lines(60);
    node.setAll(
        Map.of("gpu.0.vgpu.2", "none", "gpu.0.vgpu.0", "40960 4 100 " + VM + " NVIDIA H100-40C"));
    assertThat(lines(120))
        .contains("lapwing_gpu_vgpus 1")
        .anyMatch(line -> line.contains("NVIDIA H100-40C"))
        .anyMatch(line -> line.contains("state=\"UNLICENSED\""))
        .noneMatch(line -> line.contains(UUID));
    node.set("gpu.0.vgpu.0", "none");
    assertThat(lines(180))
        .containsExactly(
            "lapwing_gpu_virtualization_info{mode=\"HOST_VGPU\"} 1", "lapwing_gpu_vgpus 0");
  }

  /** The guest's driver is loaded minutes after its virtual machine was started. */
  @Test
  void aGuestWithoutItsDriverHasNoLicenceAndIsNoFailure() {
    node.setAll(
        Map.of(
            "gpu.*.virtualization", "3", "gpu.0.vgpu.2", "20480 0 0 " + VM + " NVIDIA H100-20C"));
    assertThat(lines(60))
        .contains("lapwing_gpu_vgpus 1")
        .noneMatch(line -> line.startsWith("lapwing_gpu_vgpu_license_state"));
    assertThat(latest.failures()).isEmpty();
  }

  @Test
  void aVirtualMachineSaysThatItsGpuIsOneAndWhetherItIsLicensed() {
    node.setAll(Map.of("gpu.*.virtualization", "2", "gpu.*.vgpu.licensed", "1"));
    assertThat(lines(60))
        .containsExactly(
            "lapwing_gpu_virtualization_info{mode=\"VGPU\"} 1",
            "DCGM_FI_DEV_VGPU_LICENSE_STATUS 1");
    node.set("gpu.*.vgpu.licensed", "0");
    assertThat(lines(120)).contains("DCGM_FI_DEV_VGPU_LICENSE_STATUS 0");
    assertThat(counted.count("nvmlDeviceGetVirtualizationMode")).isEqualTo(1);
    assertThat(counted.count("nvmlDeviceGetActiveVgpus")).isZero();
  }

  /** No sample since the call before is no failure, and any other refusal is. */
  @Test
  void withoutUtilisationTheRestIsThere() {
    host();
    assertThat(lines(60)).anyMatch(line -> line.startsWith("lapwing_gpu_vgpu_utilization_ratio"));
    node.set("gpu.0.return.nvmlDeviceGetVgpuUtilization", "6");
    assertThat(lines(120))
        .anyMatch(line -> line.startsWith("lapwing_gpu_vgpu_info"))
        .noneMatch(line -> line.startsWith("lapwing_gpu_vgpu_utilization_ratio"));
    assertThat(latest.failures()).isEmpty();
    node.set("gpu.0.return.nvmlDeviceGetVgpuUtilization", "999");
    assertThat(lines(180)).anyMatch(line -> line.startsWith("lapwing_gpu_vgpu_info"));
    assertThat(latest.failures()).isNotEmpty();
  }

  /** Most GPUs of clouds are passed through. */
  @Test
  void aWholeGpuIsAskedForItsModeOnceAndForNothingElse() {
    node.set("gpu.*.virtualization", "1");
    int before = counted.calls().size();
    assertThat(lines(60)).isEmpty();
    assertThat(lines(120)).isEmpty();
    assertThat(counted.calls().subList(before, counted.calls().size()))
        .containsExactly("nvmlDeviceGetVirtualizationMode");
  }

  @Test
  void aModeThatCouldNotBeReadIsAskedForAgain() {
    host();
    node.set("gpu.0.return.nvmlDeviceGetVirtualizationMode", "999");
    assertThat(lines(60)).isEmpty();
    node.clear("gpu.0.return.nvmlDeviceGetVirtualizationMode");
    assertThat(lines(120)).contains("lapwing_gpu_vgpus 1");
  }

  @Test
  void aListThatFailsIsCountedAndExposesNoNumber() {
    host();
    node.set("gpu.0.return.nvmlDeviceGetActiveVgpus", "999");
    assertThat(lines(60)).containsExactly("lapwing_gpu_virtualization_info{mode=\"HOST_VGPU\"} 1");
    assertThat(latest.failures()).isNotEmpty();
  }

  @Test
  void namesOfTheHypervisorArePrintableAndBounded() {
    FakeNvml nvml = new FakeNvml(1);
    StillNode.present(nvml.init());
    nvml.device(0).answer("virtualizationMode", VirtualizationMode.HOST_VGPU);
    Vgpu vgpu =
        new Vgpu(
            "a\nb",
            "x".repeat(1000),
            "vm\u0000\u202e1",
            new Reading.Unsupported<>(""),
            new Reading.Unsupported<>(""),
            Reading.of(Optional.empty()),
            Reading.of(Optional.empty()));
    nvml.device(0).answer("vgpus", List.of(vgpu, vgpu));
    Probe probe = new Probe(new GpuVgpu(), StillNode.present(nvml.gpu(0)));
    assertThat(probe.at(1).gpuLines())
        .containsExactly(
            "lapwing_gpu_virtualization_info{mode=\"HOST_VGPU\"} 1",
            "lapwing_gpu_vgpus 2",
            "lapwing_gpu_vgpu_info{vgpu_uuid=\"ab\",vgpu_type=\""
                + "x".repeat(256)
                + "\",vm_id=\"vm1\"} 1");
  }
}
