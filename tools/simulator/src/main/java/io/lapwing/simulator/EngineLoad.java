package io.lapwing.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Work done by a fake engine, which serves two requests a second. */
public final class EngineLoad {

  private static final long REQUEST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * A finished request.
   *
   * @param firstToken seconds until the first token
   * @param pace seconds from one token to the next
   */
  public record Request(int promptTokens, int tokens, double firstToken, double pace) {

    double duration() {
      return firstToken + (tokens - 1) * pace;
    }
  }

  private final Random random = new Random(1);
  private final List<Request> finished = new ArrayList<>();
  private long next;

  /** Starts with no requests. */
  public EngineLoad(long nanoTime) {
    next = nanoTime + REQUEST_NANOS;
  }

  /** Finishes the requests that are due. */
  public synchronized void workUntil(long nanoTime) {
    for (; next - nanoTime <= 0; next += REQUEST_NANOS) {
      finish(
          new Request(
              200 + random.nextInt(2000),
              50 + random.nextInt(400),
              0.05 + random.nextDouble() * 0.4,
              0.01 + random.nextDouble() * 0.02));
    }
  }

  /** Finishes a request. */
  public synchronized void finish(Request request) {
    finished.add(request);
  }

  /** Resets everything, as a restarted engine does. */
  public synchronized void restart() {
    finished.clear();
  }

  synchronized List<Request> finished() {
    return List.copyOf(finished);
  }

  synchronized int running() {
    return 1 + finished.size() % 4;
  }

  synchronized int waiting() {
    return finished.size() % 3;
  }

  synchronized double cacheUsage() {
    return finished.size() % 8 / 8.0;
  }
}
