package io.lapwing.drain.app;

import io.lapwing.common.log.Log;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.intake.RequestSink;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The one thread that calls the controller: requests first, then a round. A request starts a round
 * at once, for its node only.
 */
final class Loop implements RequestSink {
  private static final Log LOG = Log.of(Loop.class);

  /** Requests that wait for the end of a long round; their senders repeat others. */
  private static final int QUEUE = 256;

  /** How soon it is seen that a message is whole. */
  private static final Duration NEXT = Duration.ofMillis(5);

  /** Messages hold up a round no longer. */
  private static final Duration TOGETHER = Duration.ofSeconds(5);

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** A long round is followed by a pause of as many times its length: it loads the scheduler. */
  private static final int PAUSE = 4;

  /** After a round of requests. */
  private static final Duration SHORT_PAUSE = Duration.ofMillis(200);

  /** Shorter than the greatest age of an observation of a node. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final BlockingQueue<FutureTask<?>> work = new ArrayBlockingQueue<>(QUEUE);
  private final Function<Controller, Snapshot> snapshots;
  private final InstantSource clock;
  private final Duration patience;
  private Controller controller;
  private Duration interval;

  /** When the next round of all nodes begins, as System.nanoTime() counts. */
  private long due;

  private final AtomicInteger messages = new AtomicInteger();
  private volatile Snapshot snapshot = Snapshot.NONE;
  private volatile Optional<String> failure = Optional.empty();
  private volatile Optional<Instant> lastRound = Optional.empty();
  private final AtomicLong failedRounds = new AtomicLong();

  /**
   * @param snapshots what others see of a controller after a round
   */
  Loop(
      Controller controller,
      Duration interval,
      Function<Controller, Snapshot> snapshots,
      InstantSource clock) {
    this(controller, interval, snapshots, clock, PATIENCE);
  }

  /**
   * @param patience how long a caller waits
   */
  Loop(
      Controller controller,
      Duration interval,
      Function<Controller, Snapshot> snapshots,
      InstantSource clock,
      Duration patience) {
    this.patience = patience;
    this.controller = controller;
    this.interval = interval;
    this.snapshots = snapshots;
    this.clock = clock;
  }

  /** Starts the thread. */
  void start() {
    Thread thread = new Thread(this::run, "controller");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        long began = System.nanoTime();
        round(true);
        due = System.nanoTime() + Math.max(interval.toNanos(), pause(began, LONGEST_PAUSE));
        while (isBefore(due)) {
          if (controller.isRequested()) {
            requested();
          } else {
            await(due);
          }
        }
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    } catch (Error broken) {
      // Otherwise the process would do nothing and look healthy. The service manager restarts it.
      LOG.error("the controller ends", broken);
      Runtime.getRuntime().halt(1);
    }
  }

  /** A round for the requests, and a pause in which requests are only recorded. */
  private void requested() throws InterruptedException {
    long began = System.nanoTime();
    round(false);
    long end = Math.min(due, System.nanoTime() + pause(began, SHORT_PAUSE));
    while (isBefore(end)) {
      await(end);
    }
  }

  private static long pause(long began, Duration longest) {
    return Math.min(PAUSE * (System.nanoTime() - began), longest.toNanos());
  }

  private static boolean isBefore(long time) {
    return System.nanoTime() - time < 0;
  }

  /**
   * @param all whether it covers all nodes, and not only the requested ones
   */
  private void round(boolean all) {
    boolean well = false;
    Set<NodeName> before = controller.failed();
    try {
      if (all) {
        controller.round(clock);
        failure = Optional.empty();
      } else {
        controller.roundOfRequested(clock);
      }
      well = all ? controller.failed().isEmpty() : before.containsAll(controller.failed());
    } catch (IOException unwritten) {
      failure = Optional.of("the journal cannot be written: " + unwritten.getMessage());
    } catch (RuntimeException bug) {
      LOG.error("a round failed", bug);
      failure = Optional.of("the last round failed: " + bug);
    }
    if (well && all) {
      lastRound = Optional.of(clock.instant());
    } else if (!well) {
      failedRounds.incrementAndGet();
    }
    try {
      snapshot = snapshots.apply(controller);
    } catch (RuntimeException bug) {
      LOG.error("the state of the controller cannot be shown", bug);
      failure = Optional.of("the state cannot be shown: " + bug);
    }
  }

  /** Until the next round is due, or something was requested: then until its message is whole. */
  private void await(long due) throws InterruptedException {
    FutureTask<?> next = work.poll(due - System.nanoTime(), TimeUnit.NANOSECONDS);
    long end = System.nanoTime() + TOGETHER.toNanos();
    while (next != null) {
      next.run();
      next = System.nanoTime() < end ? work.poll() : null;
      while (next == null && messages.get() > 0 && System.nanoTime() < end) {
        next = work.poll(NEXT.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  @Override
  public void together(Runnable requests) {
    messages.incrementAndGet();
    try {
      requests.run();
    } finally {
      messages.decrementAndGet();
    }
  }

  /**
   * The controller and its interval from the next round on. Waits for the end of this one, however
   * long it takes: a reload is not retried.
   */
  void change(UnaryOperator<Controller> next, Duration every) throws IOException {
    FutureTask<Boolean> change =
        new FutureTask<>(
            () -> {
              controller = next.apply(controller);
              interval = every;
              due = System.nanoTime();
              return true;
            });
    try {
      work.put(change);
      boolean unused = change.get();
    } catch (ExecutionException failed) {
      throw failed(failed);
    } catch (InterruptedException end) {
      throw ending(end);
    }
  }

  private static IOException failed(ExecutionException failed) {
    return failed.getCause() instanceof IOException known
        ? known
        : new IOException("the controller failed: " + failed.getCause(), failed);
  }

  private static IOException ending(InterruptedException end) {
    Thread.currentThread().interrupt();
    return new IOException("the controller is ending", end);
  }

  @Override
  public Optional<String> request(Request request, Instant now) throws IOException {
    return ask(() -> controller.request(request, now));
  }

  /** Waits longer for a task that has begun, since it will complete. */
  private <T> T result(FutureTask<T> asked, AtomicBoolean begun)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      if (begun.getAndSet(true)) {
        return asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      }
      throw late;
    }
  }

  /** Has the thread do something, and waits for it. */
  <T> T ask(Callable<T> task) throws IOException {
    AtomicBoolean begun = new AtomicBoolean();
    FutureTask<T> asked =
        new FutureTask<>(
            () -> {
              if (begun.getAndSet(true)) {
                throw new CancellationException("its sender waits no longer");
              }
              return task.call();
            });
    if (!work.offer(asked)) {
      throw new IOException("too many requests are waiting");
    }
    try {
      return result(asked, begun);
    } catch (TimeoutException late) {
      throw new IOException("the controller is busy; repeat later", late);
    } catch (ExecutionException failed) {
      throw failed(failed);
    } catch (InterruptedException end) {
      boolean unused = begun.getAndSet(true);
      throw ending(end);
    }
  }

  Snapshot snapshot() {
    return snapshot;
  }

  /** When a round last ended in which no node failed; empty before the first. */
  Optional<Instant> lastRound() {
    return lastRound;
  }

  /** Rounds that failed, for all nodes or for one. */
  long failedRounds() {
    return failedRounds.get();
  }

  /** Why the last round was not carried out in full; empty if it was. */
  Optional<String> failure() {
    return failure;
  }
}
