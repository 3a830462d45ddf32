package io.lapwing.gpu;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the GPUs are released, and who still uses NVML: {@code nvmlShutdown} waits for the last
 * of them, because a call beside it is undefined. Thread-safe.
 */
public final class GpuRelease {

  /** The reason of a source that is down because an operator asked for it. */
  public static final String REASON = "released";

  private final Set<Object> users = Collections.newSetFromMap(new IdentityHashMap<>());
  private volatile Optional<String> reason = Optional.empty();

  /** Why the GPUs are released, as a sentence; empty while they are not. */
  public Optional<String> why() {
    return reason.map(text -> "the GPUs are released " + text);
  }

  /** The same while parts of the process still use NVML. */
  Optional<String> closing(int parts) {
    return reason.map(
        text ->
            "the GPUs are being released "
                + text
                + "; still open in "
                + parts
                + (parts == 1 ? " part" : " parts"));
  }

  /**
   * Releases the GPUs, or with an empty text takes them back.
   *
   * @param why such as {@code for maintenance until 12:00}
   */
  public synchronized void set(Optional<String> why) {
    reason = why;
  }

  /** Starts to use NVML; false while the GPUs are released. */
  synchronized boolean enter(Object user) {
    if (reason.isPresent()) {
      return false;
    }
    users.add(user);
    return true;
  }

  synchronized void leave(Object user) {
    users.remove(user);
  }

  /** Parts of the process that use NVML now. */
  public synchronized int users() {
    return users.size();
  }
}
