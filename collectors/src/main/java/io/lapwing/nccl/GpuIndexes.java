package io.lapwing.nccl;

import java.util.OptionalInt;

/** Which GPU of this node has a UUID. */
@FunctionalInterface
public interface GpuIndexes {

  /** Of none. */
  GpuIndexes NONE = uuid -> OptionalInt.empty();

  /**
   * The index that NVML gives it here.
   *
   * @param uuid as NVML writes it: {@code GPU-8f2c...}
   */
  OptionalInt index(String uuid);
}
