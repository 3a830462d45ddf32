package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.time.Duration;
import java.util.Optional;

/** A set of GPUs whose XIDs are waited for, on one thread. */
public interface NvmlEvents {

  /**
   * {@code nvmlEventSetWait_v2}: blocks until an XID comes or the time is over, which is an answer
   * without event.
   */
  Reading<Optional<Xid>> await(Duration timeout);

  /** {@code nvmlEventSetFree}. */
  void close();

  /**
   * One XID.
   *
   * @param gpu index as of {@link Nvml#gpu}
   * @param number such as 79
   */
  record Xid(int gpu, long number) {}
}
