package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.RunningTime;
import io.lapwing.common.log.Log;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * Evaluates health on its own thread: once all sources were read, after the readings of the fast
 * cadence, and after an event.
 */
final class EvaluationLoop implements Runnable, AutoCloseable {

  private static final Log LOG = Log.of(EvaluationLoop.class);
  private static final long MIN_WAIT = Duration.ofMillis(1).toNanos();
  private static final Duration SETTLED_CHECK_INTERVAL = Duration.ofMillis(20);

  /** Far above the milliseconds of an evaluation, storms of XIDs included. */
  private static final Duration STALLED = Duration.ofSeconds(30);

  /** How late an evaluation may be before its delay counts as a pause of the agent. */
  private static final Duration LATENESS = Duration.ofSeconds(1);

  private static final long IDLE = Long.MIN_VALUE;
  private static final long NOT_ASKED = Long.MAX_VALUE;

  private final HealthEvaluator evaluator;
  private final XidDeduplicator xids;
  private final PollClock clock;
  private final Timing timing;
  private final Startup startup;
  private final RunningTime running;
  private final Thread thread;
  private volatile HealthReport report;
  private final AtomicLong evaluations = new AtomicLong();

  /** Deadline of the evaluation that an event requested. */
  private final AtomicLong asked = new AtomicLong(NOT_ASKED);

  private volatile long evaluatingSince = IDLE;
  private volatile boolean stopped;

  /**
   * What happens before the first evaluation.
   *
   * @param settled whether all sources were read
   * @param maxWait the longest wait for that
   * @param onSettled starts the kernel log, whose messages need the GPUs' UUIDs
   * @param report until the first evaluation
   */
  public record Startup(
      BooleanSupplier settled, Duration maxWait, Runnable onSettled, HealthReport report) {}

  /**
   * When health is evaluated.
   *
   * @param next after an evaluation at a time, at most {@code longestGap} later
   * @param steady receives after each evaluation whether no finding is pending
   */
  public record Timing(
      LongUnaryOperator next, Supplier<Duration> longestGap, Consumer<Boolean> steady) {}

  EvaluationLoop(
      HealthEvaluator evaluator,
      XidDeduplicator xids,
      PollClock clock,
      Timing timing,
      Startup startup) {
    this.evaluator = evaluator;
    this.xids = xids;
    this.clock = clock;
    this.timing = timing;
    this.startup = startup;
    this.report = startup.report();
    this.running = new RunningTime(clock, () -> timing.longestGap().get().plus(LATENESS));
    this.thread = new Thread(this, "health");
    this.thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /** The last report; marked stale while an evaluation is stalled. */
  public HealthReport report() {
    long since = evaluatingSince;
    long running = since == IDLE ? 0 : clock.nanoTime() - since;
    return running > STALLED.toNanos()
        ? report.stale(
            "health is not evaluated: an evaluation has not returned for "
                + Duration.ofNanos(running).toSeconds()
                + " s")
        : report;
  }

  public long evaluations() {
    return evaluations.get();
  }

  /** Checks again whether an evaluation is due. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  /** Evaluates after this time, or earlier. */
  public void evaluateWithin(Duration time) {
    asked.accumulateAndGet(clock.nanoTime() + time.toNanos(), Math::min);
    wake();
  }

  @Override
  public void run() {
    awaitSettled();
    startup.onSettled().run();
    // Meanwhile the messages already in the kernel log are read and coalesced, and every source is
    // read a second time, without which rates are unknown.
    sleep(XidDeduplicator.COALESCE_WINDOW.multipliedBy(2));
    asked.set(clock.nanoTime());
    long last = clock.nanoTime();
    while (!stopped) {
      long now = clock.nanoTime();
      long due = Math.min(timing.next().applyAsLong(last), asked.get());
      if (now - due >= 0 || isDue()) {
        asked.set(NOT_ASKED);
        evaluate();
        last = now;
      } else {
        clock.park(this, Math.min(due - now, untilDue()));
      }
    }
  }

  private void sleep(Duration time) {
    long start = clock.nanoTime();
    while (!stopped && clock.nanoTime() - start < time.toNanos()) {
      clock.park(this, time.toNanos() - (clock.nanoTime() - start));
    }
  }

  private void awaitSettled() {
    long start = clock.nanoTime();
    while (!stopped
        && !startup.settled().getAsBoolean()
        && clock.nanoTime() - start < startup.maxWait().toNanos()) {
      clock.park(this, SETTLED_CHECK_INTERVAL.toNanos());
    }
  }

  /** Evaluates on the caller's thread, where the loop was not started. */
  public HealthReport evaluateNow() {
    evaluate();
    return report;
  }

  private void evaluate() {
    evaluatingSince = clock.nanoTime();
    try {
      Instant now = clock.instant();
      report = evaluator.evaluate(now, running.advance());
      evaluations.incrementAndGet();
      timing.steady().accept(evaluator.isSteady(now));
    } catch (RuntimeException | StackOverflowError bug) {
      // The time of the report shows its age; the next evaluation retries.
      LOG.error("the evaluation of the health rules failed", bug);
    } finally {
      evaluatingSince = IDLE;
    }
  }

  private boolean isDue() {
    OptionalLong due = xids.due();
    return due.isPresent() && due.getAsLong() - clock.nanoTime() <= 0;
  }

  private long untilDue() {
    OptionalLong due = xids.due();
    return due.isPresent()
        ? Math.max(MIN_WAIT, due.getAsLong() - clock.nanoTime())
        : Long.MAX_VALUE;
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
  }
}
