package io.lapwing.agent.process;

import io.lapwing.systemd.Supervisor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells the supervisor when the agent is ready, how it stands, that it lives, and that it ends.
 *
 * <p>That it lives depends on the agent's own loops and on nothing else. A watchdog that also asked
 * a device would end the agent at the moment at which its page is needed, again and again, and the
 * fault would never be told.
 */
public final class Service {

  /**
   * A node so broken that nothing is judged for that long has a page that says so, which is better
   * than a service that is started over and over.
   */
  static final Duration READY_AT_THE_LATEST = Duration.ofSeconds(20);

  /** Until it is ready: whoever waits for the start waits this much too long. */
  private static final Duration EAGER = Duration.ofMillis(50);

  /** A change of the verdict is told this late at the most. */
  private static final Duration CALM = Duration.ofSeconds(5);

  /** Signs of life in the time after which the supervisor gives up. */
  private static final int SIGNS = 4;

  private final Supervisor supervisor;
  private final Optional<Duration> watchdog;
  private final Supplier<ServiceStatus> standing;
  private final List<Heartbeat> pulses;
  private final LongSupplier nanoTime;
  private final long began;
  private boolean ready;
  private String told = "";

  /**
   * Not yet told anything.
   *
   * @param watchdog after how long without a sign of life the supervisor gives up
   * @param pulses the loops that have to turn
   */
  public Service(
      Supervisor supervisor,
      Optional<Duration> watchdog,
      Supplier<ServiceStatus> standing,
      List<Heartbeat> pulses,
      LongSupplier nanoTime) {
    this.supervisor = supervisor;
    this.watchdog = watchdog;
    this.standing = standing;
    this.pulses = List.copyOf(pulses);
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
  }

  /** From now on looks again and again, for as long as the process lives. */
  public void start() {
    Thread thread = new Thread(this::run, "service");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        look();
        Thread.sleep(untilNextLook().toMillis());
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells what is new, and that the agent lives if it does. */
  void look() {
    ServiceStatus now = standing.get();
    if (!ready && (now.ready() || isLate())) {
      ready = supervisor.tell("READY=1");
    }
    String text = StatusText.of(now.text());
    if (!text.equals(told) && supervisor.tell("STATUS=" + text)) {
      told = text;
    }
    if (ready && watchdog.isPresent() && lives()) {
      supervisor.tell("WATCHDOG=1");
    }
  }

  /** That it ends, for what is told after this comes too late. */
  public void end() {
    supervisor.tell("STOPPING=1");
  }

  private boolean isLate() {
    return nanoTime.getAsLong() - began >= READY_AT_THE_LATEST.toNanos();
  }

  /** All are asked each time: each answers the asking before. */
  private boolean lives() {
    return pulses.stream().filter(Heartbeat::beat).count() == pulses.size();
  }

  private Duration untilNextLook() {
    Duration often = watchdog.map(limit -> limit.dividedBy(SIGNS)).orElse(CALM);
    Duration calm = often.compareTo(CALM) < 0 ? often : CALM;
    return ready ? calm : EAGER;
  }
}
