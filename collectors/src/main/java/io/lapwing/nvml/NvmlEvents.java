package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.time.Duration;
import java.util.Optional;

/** An event set for the XIDs of some GPUs. Used by one thread. */
public interface NvmlEvents {

  /** {@code nvmlEventSetWait_v2}: blocks until an XID or the timeout; empty after a timeout. */
  Reading<Optional<Xid>> await(Duration timeout);

  /** {@code nvmlEventSetFree}. */
  void close();

  /** One XID of the GPU with an index as of {@link Nvml#gpu}. */
  record Xid(int gpu, long number) {}
}
