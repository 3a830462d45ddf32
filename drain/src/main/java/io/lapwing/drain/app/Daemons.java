package io.lapwing.drain.app;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that end when they are idle, and with the process. */
final class Daemons {

  private Daemons() {}

  static ExecutorService pool(String name, int most) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most, most, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), factory(name));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** The same without a queue: work for which no thread is free is rejected. */
  static ExecutorService withoutQueue(String name, int most) {
    return new ThreadPoolExecutor(
        0, most, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), factory(name));
  }

  private static ThreadFactory factory(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
