package io.lapwing.simulator;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Updates the time-dependent files of a node on a separate thread until closed: the uptime every
 * second, the counters every other second, in the node's time.
 */
public final class PassingTime implements AutoCloseable {
  private static final long SECOND_MILLIS = Duration.ofSeconds(1).toMillis();

  /** Limits the load on the host if the node's time runs fast. */
  private static final long LEAST_MILLIS = 50;

  private final SimulatedNode node;
  private final Thread thread;

  /** Not an interrupt, which would close the file being written. */
  private final CountDownLatch closed = new CountDownLatch(1);

  private PassingTime(SimulatedNode node) {
    this.node = node;
    this.thread = new Thread(this::run, "passing-time");
    thread.setDaemon(true);
  }

  static PassingTime on(SimulatedNode node) {
    PassingTime time = new PassingTime(node);
    node.keepOpen();
    time.thread.start();
    return time;
  }

  private void run() {
    try {
      for (long second = 0; !closed.await(millis(), TimeUnit.MILLISECONDS); second++) {
        node.keepTime();
        if (second % 2 == 0) {
          node.count();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private long millis() {
    return Math.max(LEAST_MILLIS, (long) (SECOND_MILLIS / Math.max(1, node.rate())));
  }

  /** Returns when this is closed. */
  public void join() throws InterruptedException {
    thread.join();
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    node.release();
  }
}
