package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu;
import java.util.Optional;

/**
 * Identity of a GPU, read once when it is opened: NVML's index in PCI bus order, the PCI address as
 * {@code 00000000:53:00.0}, N of {@code /dev/nvidiaN}. Unsupported values are empty.
 */
public record GpuIdentity(
    int index,
    String uuid,
    String name,
    String serial,
    String pciBusId,
    String minorNumber,
    String vbiosVersion,
    String inforomImageVersion) {

  /** Absent if the UUID is. */
  static Reading<GpuIdentity> read(NvmlGpu gpu) {
    return gpu.uuid()
        .map(
            uuid ->
                new GpuIdentity(
                    gpu.index(),
                    uuid,
                    text(gpu.name()),
                    text(gpu.serial()),
                    text(gpu.pciBusId()),
                    text(gpu.minorNumber().map(String::valueOf)),
                    text(gpu.vbiosVersion()),
                    text(gpu.inforomImageVersion())));
  }

  private static String text(Reading<String> reading) {
    Optional<String> value = reading.toOptional();
    return value.orElse("");
  }
}
