package io.lapwing.common.process;

import io.lapwing.systemd.Supervisor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Notifies the supervisor (systemd). Liveness depends on the agent's own loops only: restarting
 * over a faulty device would loop, and the fault would never be reported.
 */
public final class Service {

  /**
   * Ready after this even without an evaluation: better a report of a broken node than a restart
   * loop.
   */
  static final Duration MAX_STARTUP = Duration.ofSeconds(20);

  /** The update interval until ready. */
  private static final Duration STARTUP_INTERVAL = Duration.ofMillis(50);

  /** The maximum update interval when ready. */
  private static final Duration MAX_INTERVAL = Duration.ofSeconds(5);

  /** Keep-alives per watchdog timeout. */
  private static final int KEEP_ALIVES = 4;

  private final Supervisor supervisor;
  private final Optional<Duration> watchdog;
  private final Supplier<Status> status;
  private final List<Heartbeat> heartbeats;
  private final LongSupplier nanoTime;
  private final long startedAt;
  private boolean ready;
  private String reportedStatus = "";

  /** {@code watchdog}: the supervisor's timeout; {@code heartbeats}: the loops to supervise. */
  public Service(
      Supervisor supervisor,
      Optional<Duration> watchdog,
      Supplier<Status> status,
      List<Heartbeat> heartbeats,
      LongSupplier nanoTime) {
    this.supervisor = supervisor;
    this.watchdog = watchdog;
    this.status = status;
    this.heartbeats = List.copyOf(heartbeats);
    this.nanoTime = nanoTime;
    this.startedAt = nanoTime.getAsLong();
  }

  /** Starts periodic updates on a daemon thread. */
  public void start() {
    Thread thread = new Thread(this::run, "service");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        update();
        Thread.sleep(interval().toMillis());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends readiness and status changes, and a keep-alive if the agent is alive. */
  void update() {
    Status now = status.get();
    if (!ready && (now.ready() || isLate())) {
      ready = supervisor.send("READY=1");
    }
    String text = StatusText.of(now.text());
    if (!text.equals(reportedStatus) && supervisor.send("STATUS=" + text)) {
      reportedStatus = text;
    }
    if (ready && watchdog.isPresent() && isAlive()) {
      supervisor.send("WATCHDOG=1");
    }
  }

  public void stopping() {
    supervisor.send("STOPPING=1");
  }

  private boolean isLate() {
    return nanoTime.getAsLong() - startedAt >= MAX_STARTUP.toNanos();
  }

  /** Probes all loops each time, because each result belongs to the previous probe. */
  private boolean isAlive() {
    return heartbeats.stream().filter(Heartbeat::beat).count() == heartbeats.size();
  }

  private Duration interval() {
    Duration keepAlive = watchdog.map(limit -> limit.dividedBy(KEEP_ALIVES)).orElse(MAX_INTERVAL);
    Duration interval = keepAlive.compareTo(MAX_INTERVAL) < 0 ? keepAlive : MAX_INTERVAL;
    return ready ? interval : STARTUP_INTERVAL;
  }

  private static final class StatusText {

    private static final int MAX_LENGTH = 200;

    private StatusText() {}

    /** Removes what would start another line of the message or change terminal colours. */
    static String of(String text) {
      String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
      return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH - 3) + "...";
    }
  }

  /** Whether the first evaluation is complete, and the text for {@code systemctl status}. */
  public record Status(boolean ready, String text) {}

  /** A liveness probe of one of the agent's loops. */
  @FunctionalInterface
  public interface Heartbeat {

    /** Submits a probe; true if the previous one completed. Waits only for a lock of the loop. */
    boolean beat();
  }

  /** Probes an executor loop with an empty task. Used by one thread. */
  public static final class LoopProbe implements Heartbeat {

    private final Consumer<Runnable> loop;
    private final AtomicBoolean outstanding = new AtomicBoolean();

    /** {@code loop} enqueues a task without blocking. */
    public LoopProbe(Consumer<Runnable> loop) {
      this.loop = loop;
    }

    /** At most one probe is outstanding, so that a stalled loop does not accumulate them. */
    @Override
    public boolean beat() {
      if (outstanding.get()) {
        return false;
      }
      outstanding.set(true);
      loop.accept(() -> outstanding.set(false));
      return true;
    }
  }
}
