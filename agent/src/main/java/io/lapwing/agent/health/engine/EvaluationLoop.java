package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.log.Log;
import io.lapwing.agent.sources.PollClock;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Judges again and again on a thread of its own: once all sources were read, then at the fast
 * cadence, and at once when the kernel log or NVML told of something.
 */
public final class EvaluationLoop implements Runnable, AutoCloseable {

  private static final Log LOG = Log.of(EvaluationLoop.class);
  private static final long MOMENT = Duration.ofMillis(1).toNanos();
  private static final Duration LOOK_FOR_SETTLED = Duration.ofMillis(20);

  /** Far above the milliseconds that a judgement takes, storms of XIDs included. */
  private static final Duration STUCK = Duration.ofSeconds(30);

  private static final long NOT_JUDGING = Long.MIN_VALUE;

  private final HealthEvaluator judge;
  private final XidDeduplicator intake;
  private final PollClock clock;
  private final Supplier<Duration> period;
  private final Duration patience;
  private final BooleanSupplier settled;
  private final Runnable onSettled;
  private final Thread thread;
  private volatile HealthReport report;
  private final AtomicLong judgements = new AtomicLong();
  private volatile long judgingSince = NOT_JUDGING;
  private volatile boolean stopped;

  /**
   * A watch not yet begun.
   *
   * @param patience for how long sources that do not settle are waited for
   * @param onSettled begins to read the kernel log: it is understood best once GPUs are known
   */
  public EvaluationLoop(
      HealthEvaluator judge,
      XidDeduplicator intake,
      PollClock clock,
      Supplier<Duration> period,
      Duration patience,
      BooleanSupplier settled,
      Runnable onSettled,
      HealthReport before) {
    this.judge = judge;
    this.intake = intake;
    this.clock = clock;
    this.period = period;
    this.patience = patience;
    this.settled = settled;
    this.onSettled = onSettled;
    this.report = before;
    this.thread = new Thread(this, "health");
    this.thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /** What is to be said now: of a judge who does not come back, that he does not. */
  public HealthReport report() {
    long since = judgingSince;
    long judging = since == NOT_JUDGING ? 0 : clock.nanoTime() - since;
    return judging > STUCK.toNanos()
        ? report.unseeing(
            "nobody judges: a judgement has not come back for "
                + Duration.ofNanos(judging).toSeconds()
                + " s")
        : report;
  }

  /** How often it was judged. */
  public long judgements() {
    return judgements.get();
  }

  /** Something was told that may change the judgement. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    awaitSettled();
    onSettled.run();
    // What the kernel log still holds from before is read at once and counted together, and every
    // source takes its second look, without which rates are not known.
    rest(XidDeduplicator.HOLD.multipliedBy(2));
    long last = clock.nanoTime() - period.get().toNanos();
    while (!stopped) {
      long now = clock.nanoTime();
      if (now - last >= period.get().toNanos() || isDue()) {
        judge();
        last = now;
      } else {
        clock.park(this, Math.min(last + period.get().toNanos() - now, untilDue()));
      }
    }
  }

  private void rest(Duration time) {
    long start = clock.nanoTime();
    while (!stopped && clock.nanoTime() - start < time.toNanos()) {
      clock.park(this, time.toNanos() - (clock.nanoTime() - start));
    }
  }

  private void awaitSettled() {
    long start = clock.nanoTime();
    while (!stopped && !settled.getAsBoolean() && clock.nanoTime() - start < patience.toNanos()) {
      clock.park(this, LOOK_FOR_SETTLED.toNanos());
    }
  }

  /** Judges on the caller's thread, where the watch was not started. */
  public HealthReport judgeNow() {
    judge();
    return report;
  }

  private void judge() {
    judgingSince = clock.nanoTime();
    try {
      report = judge.judge(clock.instant());
      judgements.incrementAndGet();
    } catch (RuntimeException | StackOverflowError bug) {
      // The report grows old, which its time shows; the next turn tries again.
      LOG.error("judging failed", bug);
    } finally {
      judgingSince = NOT_JUDGING;
    }
  }

  private boolean isDue() {
    OptionalLong due = intake.due();
    return due.isPresent() && due.getAsLong() - clock.nanoTime() <= 0;
  }

  private long untilDue() {
    OptionalLong due = intake.due();
    return due.isPresent() ? Math.max(MOMENT, due.getAsLong() - clock.nanoTime()) : Long.MAX_VALUE;
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
  }
}
