package io.lapwing.agent.sources;

import io.lapwing.agent.log.Log;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** Logs once when a source hangs, and once when it recovers. */
final class HungSourceDetector implements Runnable {

  private static final Log LOG = Log.of(HungSourceDetector.class);

  private final Supplier<List<SourceActivity>> states;
  private final Supplier<Duration> period;
  private final Set<String> hanging = new HashSet<>();
  private final Queue<Runnable> afterLook = new ConcurrentLinkedQueue<>();

  HungSourceDetector(Supplier<List<SourceActivity>> states, Supplier<Duration> period) {
    this.states = states;
    this.period = period;
  }

  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(period.get().toMillis());
        look();
        answer();
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs the task after the next check of all sources, which proves that the checks still run. */
  void afterNextLook(Runnable task) {
    afterLook.add(task);
  }

  private void answer() {
    for (Runnable task = afterLook.poll(); task != null; task = afterLook.poll()) {
      task.run();
    }
  }

  private void look() {
    for (SourceActivity state : states.get()) {
      if (state.hung() && hanging.add(state.source())) {
        LOG.warn("source hangs", "source", state.source(), "in", state.doing());
      } else if (!state.hung() && hanging.remove(state.source())) {
        LOG.info("source recovered from a hung call", "source", state.source());
      }
    }
  }
}
