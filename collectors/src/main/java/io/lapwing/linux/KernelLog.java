package io.lapwing.linux;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Follows the kernel's own messages since boot in {@code /dev/kmsg}, or a FIFO or regular file in
 * its format; else in a syslog file.
 *
 * <p>One daemon thread reads, another calls the listener. Memory is bounded. If the listener is too
 * slow, the kernel overwrites unread messages, which are counted as lost.
 */
public final class KernelLog implements AutoCloseable {

  /** Receives the log on one thread, in log order. */
  public interface Listener {

    /** Messages of interest, at most 256 at once: those available without waiting. */
    void records(List<KernelRecord> batch);

    /** Messages of any kind that were overwritten before they were read, by sequence gaps. */
    void lost(long messages);

    /** Called once for each change of state. */
    void state(KernelLogState state);
  }

  /**
   * What to follow.
   *
   * @param kmsg {@code /dev/kmsg} on a plain host
   * @param logs log files; the first readable one is the fallback if {@code kmsg} cannot be opened
   * @param afterSequence skip records up to this sequence, which were handled before a restart. Of
   *     this boot: sequences start at 0 in each
   * @param afterTime skip lines of log files up to this time; lines before the boot are always
   *     skipped
   * @param words ASCII; a message of interest contains one of them
   * @param zone of times in log files that name none; supplied only if such a file is read, because
   *     the time zone data takes a third of a megabyte
   */
  public record Settings(
      Path kmsg,
      List<Path> logs,
      OptionalLong afterSequence,
      Optional<Instant> afterTime,
      List<String> words,
      Supplier<ZoneId> zone) {
    public Settings {
      logs = List.copyOf(logs);
      words = List.copyOf(words);
    }

    /** As these, also for messages with one of more words. */
    public Settings also(List<String> more) {
      return new Settings(
          kmsg,
          logs,
          afterSequence,
          afterTime,
          Stream.concat(words.stream(), more.stream()).toList(),
          zone);
    }

    /** For the messages of NVIDIA's drivers on the host with the given root folder. */
    public static Settings nvidia(
        Path kmsg, Path rootfs, OptionalLong afterSequence, Optional<Instant> afterTime) {
      return new Settings(
          kmsg,
          LOGS.stream().map(rootfs::resolve).toList(),
          afterSequence,
          afterTime,
          NVIDIA,
          SystemZone::get);
    }
  }

  /** Records since the start; malformed ones; those of more than 64 KiB, which were cut. */
  public record Counts(long records, long malformed, long cut) {}

  private static final List<String> LOGS =
      List.of("var/log/kern.log", "var/log/syslog", "var/log/messages");
  private static final List<String> NVIDIA = List.of("NVRM", "nvidia-nvswitch");
  private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(2);

  private final KernelLogTally tally = new KernelLogTally();
  private final KernelLogDelivery delivery;
  private final Thread reading;
  private final Thread delivering;
  private boolean started;

  /** A log that is not followed yet; the boot time is by the wall clock. */
  public KernelLog(
      Settings settings,
      InstantSource clock,
      Supplier<Optional<Instant>> bootTime,
      Listener listener) {
    this(settings, clock, bootTime, listener, KernelLogFiles::kmsg);
  }

  KernelLog(
      Settings settings,
      InstantSource clock,
      Supplier<Optional<Instant>> bootTime,
      Listener listener,
      KernelLogFiles.Opener opener) {
    this.delivery = new KernelLogDelivery(listener, settings.afterSequence());
    BootClock boot = new BootClock(clock, bootTime);
    ByteWords words = new ByteWords(settings.words());
    KmsgSequences sequences = new KmsgSequences(settings.afterSequence());
    KernelLogFollower follower =
        new KernelLogFollower(
            settings,
            opener,
            boot,
            new KernelLogFollower.Sinks(
                sequences,
                new KmsgSink(
                    sequences,
                    words,
                    new KernelClock(clock, System::nanoTime, boot),
                    delivery,
                    tally),
                new LogFileSink(words, clock, settings.zone(), delivery, tally),
                delivery,
                tally));
    this.reading = daemon(follower, "kernel-log");
    this.delivering = daemon(delivery, "kernel-log-events");
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Starts both threads, the first time. */
  public synchronized void start() {
    if (!started) {
      started = true;
      delivering.start();
      reading.start();
    }
  }

  /** The sequence up to which the listener has all messages; empty until one was read. */
  public OptionalLong readTo() {
    return delivery.done();
  }

  public Counts counts() {
    return tally.counts();
  }

  /** Stops both threads, interrupting a blocked read; the listener is not called again. */
  @Override
  public void close() {
    synchronized (this) {
      started = true;
    }
    reading.interrupt();
    delivering.interrupt();
    join(reading);
    join(delivering);
  }

  private static void join(Thread thread) {
    try {
      if (thread.isAlive() && !thread.equals(Thread.currentThread())) {
        thread.join(JOIN_TIMEOUT.toMillis());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The boot time, re-read once a minute, as the wall clock may be set. For one thread. */
  private static final class BootClock implements Supplier<Optional<Instant>> {

    private static final Duration MAX_AGE = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final Supplier<Optional<Instant>> source;
    private Optional<Instant> boot = Optional.empty();
    private Optional<Instant> readAt = Optional.empty();

    BootClock(InstantSource clock, Supplier<Optional<Instant>> source) {
      this.clock = clock;
      this.source = source;
    }

    @Override
    public Optional<Instant> get() {
      Instant now = clock.instant();
      if (readAt.filter(at -> Duration.between(at, now).abs().compareTo(MAX_AGE) < 0).isEmpty()) {
        boot = source.get();
        readAt = Optional.of(now);
      }
      return boot;
    }
  }
}
