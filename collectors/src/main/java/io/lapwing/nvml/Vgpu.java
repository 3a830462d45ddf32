package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.Optional;

/**
 * A vGPU that is active on a GPU of this host. All text is of the hypervisor.
 *
 * @param type its name, such as {@code NVIDIA A40-8Q}; empty if unknown
 * @param vmId of the virtual machine, a UUID or a domain's number; empty if unknown
 * @param memoryTotal bytes of its frame buffer
 * @param memoryUsed bytes of it that the virtual machine uses
 * @param license empty while the guest's driver is not loaded
 * @param utilization empty without a sample
 */
public record Vgpu(
    String uuid,
    String type,
    String vmId,
    Reading<Long> memoryTotal,
    Reading<Long> memoryUsed,
    Reading<Optional<License>> license,
    Reading<Optional<Utilization>> utilization) {

  /** {@code NVML_GRID_LICENSE_STATE_*}; the place is the value. */
  public enum License {
    UNKNOWN,
    UNINITIALIZED,
    UNLICENSED_UNRESTRICTED,
    UNLICENSED_RESTRICTED,
    UNLICENSED,
    LICENSED
  }

  /**
   * {@code nvmlVgpuInstanceUtilizationSample_t}: percent of the GPU, each empty where it is not
   * known.
   */
  public record Utilization(
      Optional<Integer> sm,
      Optional<Integer> memory,
      Optional<Integer> encoder,
      Optional<Integer> decoder) {}
}
