package io.lapwing.agent.process;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Probes an executor loop with an empty task. Used by one thread. */
public final class LoopProbe implements Heartbeat {

  private final Consumer<Runnable> loop;
  private final AtomicBoolean outstanding = new AtomicBoolean();

  /**
   * @param loop enqueues a task without blocking and runs it later
   */
  public LoopProbe(Consumer<Runnable> loop) {
    this.loop = loop;
  }

  /** At most one probe is outstanding, so that a stalled loop does not accumulate them. */
  @Override
  public boolean beat() {
    if (outstanding.get()) {
      return false;
    }
    outstanding.set(true);
    loop.accept(() -> outstanding.set(false));
    return true;
  }
}
