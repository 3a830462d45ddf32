package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.metric.LabelText;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.VirtualizationMode;
import io.lapwing.nvml.Vgpu;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * vGPUs: those that a host has on the GPU, and the licence of a GPU that is one itself. Any other
 * GPU is queried once, for its mode, when it is opened.
 *
 * <pre>
 * lapwing_gpu_virtualization_info{mode="HOST_VGPU"} 1                       nvmlDeviceGetVirtualizationMode
 * lapwing_gpu_vgpus 2                                                       nvmlDeviceGetActiveVgpus
 * lapwing_gpu_vgpu_info{vgpu_uuid="...",vgpu_type="NVIDIA A40-8Q",vm_id="..."} 1
 * lapwing_gpu_vgpu_memory_bytes{vgpu_uuid="..."} 8.6e+09                    also ..._used_bytes
 * lapwing_gpu_vgpu_license_state{vgpu_uuid="...",state="LICENSED"} 1
 * lapwing_gpu_vgpu_utilization_ratio{vgpu_uuid="...",engine="sm"} 0.4       also memory, encoder, decoder
 * DCGM_FI_DEV_VGPU_LICENSE_STATUS 1                                         in a guest: nvmlDeviceGetGridLicensableFeatures_v4
 * </pre>
 */
final class GpuVgpu extends GpuSubject {

  private @Nullable NvmlGpu asked;
  private VirtualizationMode mode = VirtualizationMode.NONE;

  /** By the UUID of the vGPU, of those that were there in the last round. */
  private final Map<String, GpuLabels> labels = new HashMap<>();

  GpuVgpu() {
    super(
        "gpu_vgpu",
        "vGPUs of a host, and the licence of a vGPU in its virtual machine",
        Cadence.SLOW,
        List.of());
  }

  @Override
  void collect(GpuRound round) {
    ask(round);
    switch (mode) {
      case NONE, PASSTHROUGH, UNKNOWN -> {}
      case VGPU -> {
        info(round);
        round.put(
            DcgmMetrics.VGPU_LICENSE_STATUS,
            round.gpu().vgpuLicensed().map(licensed -> licensed ? 1 : 0));
      }
      case HOST_VGPU -> {
        info(round);
        host(round);
      }
      case HOST_VSGA -> info(round);
    }
  }

  /** After a failure again in the next round. */
  @SuppressWarnings("ReferenceEquality") // another handle is the same GPU, opened again
  private void ask(GpuRound round) {
    if (round.gpu() != asked) {
      Reading<VirtualizationMode> answer = round.gpu().virtualizationMode();
      mode = answer.toOptional().orElse(VirtualizationMode.NONE);
      asked = round.note(answer) ? null : round.gpu();
    }
  }

  private void info(GpuRound round) {
    round.put(VgpuMetrics.VIRTUALIZATION, List.of(mode.name()), 1);
  }

  private void host(GpuRound round) {
    Reading<List<Vgpu>> vgpus = round.gpu().vgpus();
    round.put(VgpuMetrics.COUNT, vgpus.map(List::size));
    Set<String> present = new HashSet<>();
    for (Vgpu vgpu : vgpus.toOptional().orElse(List.of())) {
      String uuid = LabelText.clean(vgpu.uuid());
      if (present.add(uuid)) { // two of one UUID would be the same series twice
        put(round.of(labels(round, uuid)), vgpu);
      }
    }
    labels.keySet().retainAll(present);
  }

  private GpuLabels labels(GpuRound round, String uuid) {
    return labels.computeIfAbsent(
        uuid,
        unseen ->
            new GpuLabels(
                round.open().labels().foreign().with(VgpuMetrics.VGPU, uuid),
                round.open().labels().own().with(VgpuMetrics.VGPU, uuid)));
  }

  /** The hypervisor's names are foreign text. */
  private static void put(GpuRound its, Vgpu vgpu) {
    its.put(
        VgpuMetrics.INFO, List.of(LabelText.clean(vgpu.type()), LabelText.clean(vgpu.vmId())), 1);
    its.put(VgpuMetrics.MEMORY, vgpu.memoryTotal());
    its.put(VgpuMetrics.MEMORY_USED, vgpu.memoryUsed());
    its.note(vgpu.license());
    vgpu.license()
        .toOptional()
        .flatMap(state -> state)
        .ifPresent(state -> its.put(VgpuMetrics.LICENSE, List.of(state.name()), 1));
    its.note(vgpu.utilization());
    vgpu.utilization()
        .toOptional()
        .flatMap(sample -> sample)
        .ifPresent(
            busy -> {
              ratio(its, "sm", busy.sm());
              ratio(its, "memory", busy.memory());
              ratio(its, "encoder", busy.encoder());
              ratio(its, "decoder", busy.decoder());
            });
  }

  private static void ratio(GpuRound its, String engine, Optional<Integer> percent) {
    percent.ifPresent(value -> its.put(VgpuMetrics.UTILIZATION, List.of(engine), value / 100.0));
  }

  @Override
  void forget() {
    asked = null;
    labels.clear();
  }
}
