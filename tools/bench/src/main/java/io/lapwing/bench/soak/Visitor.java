package io.lapwing.bench.soak;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lapwing.bench.ScrapeClient;
import io.lapwing.bench.Server;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that requests a page periodically and reconnects after a number of requests. One thread;
 * read the results after it has ended.
 */
final class Visitor implements Runnable {

  /** Requests per connection. */
  private static final int PAGES_OF_A_CONNECTION = 40;

  private final String name;
  private final byte[] request;
  private final long everyNanos;
  private final Server server;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean ended;
  private long[] nanos = new long[1024];
  private int pages;

  Visitor(Server server, String name, String path, String headers, double everySeconds) {
    this.server = server;
    this.name = name;
    this.request =
        ("GET " + path + " HTTP/1.1\r\nHost: soak\r\nUser-Agent: soak\r\n" + headers + "\r\n")
            .getBytes(US_ASCII);
    this.everyNanos = (long) (everySeconds * 1e9);
  }

  String name() {
    return name;
  }

  void end() {
    ended = true;
  }

  @Override
  public void run() {
    while (!ended) {
      try (ScrapeClient client = server.connect(request)) {
        for (int i = 0; i < PAGES_OF_A_CONNECTION && !ended; i++) {
          note(client.scrapeNanos());
          LockSupport.parkNanos(everyNanos);
        }
      } catch (IOException refused) {
        failures.incrementAndGet();
        LockSupport.parkNanos(everyNanos);
      }
    }
  }

  private void note(long took) {
    if (pages == nanos.length) {
      nanos = Arrays.copyOf(nanos, pages * 2);
    }
    nanos[pages++] = took;
  }

  int failures() {
    return failures.get();
  }

  /** Durations in nanoseconds. */
  long[] taken() {
    return Arrays.copyOf(nanos, pages);
  }
}
