package io.lapwing.simulator;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a node's time pass in its files, on a thread of its own: the uptime every second of the
 * node, counters every other. Ends with the process, or when it is closed.
 */
public final class PassingTime implements AutoCloseable {
  private static final long SECOND_MILLIS = Duration.ofSeconds(1).toMillis();

  /** However fast the node's time runs, the machine that simulates it has other things to do. */
  private static final long LEAST_MILLIS = 50;

  private final SimulatedNode node;
  private final Thread thread;

  /** Not an interrupt: that would close the file that is being written. */
  private final CountDownLatch closed = new CountDownLatch(1);

  private PassingTime(SimulatedNode node) {
    this.node = node;
    this.thread = new Thread(this::run, "passing-time");
    thread.setDaemon(true);
  }

  static PassingTime on(SimulatedNode node) {
    PassingTime time = new PassingTime(node);
    node.hold();
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

  /** Returns when time does not pass any more. */
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
    node.letGo();
  }
}
