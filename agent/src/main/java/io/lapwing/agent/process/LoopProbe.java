package io.lapwing.agent.process;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The pulse of a loop that runs what it is handed. Asked by one thread. */
public final class LoopProbe implements Heartbeat {

  private final Consumer<Runnable> loop;
  private final AtomicBoolean outstanding = new AtomicBoolean();

  /**
   * Of this loop.
   *
   * @param loop takes a task at once, and runs it when its turn comes
   */
  public LoopProbe(Consumer<Runnable> loop) {
    this.loop = loop;
  }

  /** At most one asking is under way, so that a loop that stands still collects none. */
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
