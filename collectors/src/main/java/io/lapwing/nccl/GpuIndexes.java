package io.lapwing.nccl;

import java.util.OptionalInt;

/** Maps UUIDs to GPUs of this node. */
@FunctionalInterface
public interface GpuIndexes {

  /** Of an unknown node. */
  GpuIndexes NONE = uuid -> OptionalInt.empty();

  /**
   * The NVML index of a GPU.
   *
   * @param uuid as NVML writes it: {@code GPU-8f2c...}
   */
  OptionalInt index(String uuid);
}
