package io.lapwing.agent.sources;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Detects a source that blocks its group and lets the others continue. Sleeps while all are idle.
 */
final class StallMonitor implements Runnable {

  /** Far above the total time of a group of small files. */
  private static final long BLOCKED_AFTER = Duration.ofMillis(200).toNanos();

  private final Supplier<Collection<WorkerGroup>> groups;
  private final Thread thread = new Thread(this, "source-relief");
  private volatile boolean asleep;
  private volatile boolean ended;

  StallMonitor(Supplier<Collection<WorkerGroup>> groups) {
    this.groups = groups;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Wakes the monitor: a turn starts for which others wait. */
  void wake() {
    if (asleep) {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void run() {
    while (!ended) {
      if (replaceBlocked()) {
        LockSupport.parkNanos(this, BLOCKED_AFTER);
      } else {
        asleep = true;
        if (!replaceBlocked() && !ended) {
          LockSupport.park(this);
        }
        asleep = false;
      }
    }
  }

  private boolean replaceBlocked() {
    boolean busy = false;
    for (WorkerGroup group : groups.get()) {
      busy |= group.replaceIfBlocked(BLOCKED_AFTER);
    }
    return busy;
  }

  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }
}
