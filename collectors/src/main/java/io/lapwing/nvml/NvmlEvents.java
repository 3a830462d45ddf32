package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** An event set for the XIDs of some GPUs. Used by one thread. */
public interface NvmlEvents {

  /** {@code nvmlEventSetWait_v2}: blocks until an XID or the timeout; empty after a timeout. */
  Reading<Optional<Xid>> await(Duration timeout);

  /** {@code nvmlEventSetFree}. */
  void close();

  /**
   * One XID of the GPU with an index as of {@link Nvml#gpu}.
   *
   * @param instance the MIG GPU instance, if the driver reports one
   */
  record Xid(int gpu, long number, OptionalInt instance) {}
}
