package io.lapwing.nvml;

import io.lapwing.nvml.NvmlStructs.MemoryV2;
import java.util.OptionalLong;

/** The structs of {@code nvmlDeviceGetMemoryInfo}, of GPUs and of MIG devices. */
final class MemoryInfo {

  private MemoryInfo() {}

  /** Used memory is what programs allocated. */
  static NvmlGpu.Memory version2(Out out) {
    return new NvmlGpu.Memory(
        out.int64(MemoryV2.TOTAL),
        OptionalLong.of(out.int64(MemoryV2.RESERVED)),
        out.int64(MemoryV2.FREE),
        out.int64(MemoryV2.USED));
  }

  /** Used memory includes what the driver reserves. */
  static NvmlGpu.Memory version1(Out out) {
    return new NvmlGpu.Memory(
        out.int64(NvmlStructs.Memory.TOTAL),
        OptionalLong.empty(),
        out.int64(NvmlStructs.Memory.FREE),
        out.int64(NvmlStructs.Memory.USED));
  }
}
