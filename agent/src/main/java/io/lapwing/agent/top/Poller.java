package io.lapwing.agent.top;

import java.time.Duration;

/** Polls the agent on a thread of its own, so that keys work while it does not answer. */
final class Poller {

  private final Feed feed;
  private volatile Watch watch;
  private volatile Duration interval;
  private volatile boolean paused;

  Poller(Feed feed, Watch start, Duration interval) {
    this.feed = feed;
    this.watch = start;
    this.interval = interval;
  }

  void start() {
    Thread thread = new Thread(this::run, "poll");
    thread.setDaemon(true);
    thread.start();
  }

  Watch watch() {
    return watch;
  }

  void follow(View view) {
    interval = view.interval();
    paused = view.paused();
  }

  private void run() {
    try {
      while (true) {
        if (!paused) {
          watch = feed.next(watch);
        }
        waitForTheNext();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      // Keys still work, and the screen shows the failure.
      watch = watch.failed("top failed: " + bug);
    }
  }

  /** The interval may become shorter meanwhile. */
  private void waitForTheNext() throws InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < interval.toNanos() || paused) {
      Thread.sleep(100);
    }
  }
}
