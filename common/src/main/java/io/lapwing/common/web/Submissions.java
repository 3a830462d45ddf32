package io.lapwing.common.web;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The paths that accept POST, and the threads that serve them. A server without any has none. */
final class Submissions {
  private static final int THREADS = 4;
  private static final int QUEUE = 60;
  private static final int IDLE_SECONDS = 30;

  /** Who may send to a path. */
  enum From {
    /** Authenticated by the gate. */
    USER,
    /** Any client: the message carries its signature. */
    SIGNED
  }

  private final Map<String, From> accepted = new HashMap<>();
  private final ThreadPoolExecutor threads = pool();

  private static ThreadPoolExecutor pool() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            work -> {
              Thread thread = new Thread(work, "http-submission");
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  void add(String path, From from) {
    accepted.put(path, from);
  }

  /** The methods of a path, for the header Allow. */
  String allowed(String path) {
    return accepted.containsKey(path) ? "POST" : "GET, HEAD";
  }

  /** Empty if the path accepts no POST. */
  Optional<From> from(String path) {
    return Optional.ofNullable(accepted.get(path));
  }

  ExecutorService threads() {
    return threads;
  }

  void close() {
    threads.shutdownNow();
  }
}
