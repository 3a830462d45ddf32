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
  private volatile Optional<String> why = Optional.empty();

  /** Why the GPUs are released; empty while they are not. */
  public Optional<String> why() {
    return why;
  }

  /** Releases the GPUs, or with an empty text takes them back. */
  public synchronized void set(Optional<String> reason) {
    why = reason;
  }

  /** Starts to use NVML; false while the GPUs are released. */
  synchronized boolean enter(Object user) {
    if (why.isPresent()) {
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
