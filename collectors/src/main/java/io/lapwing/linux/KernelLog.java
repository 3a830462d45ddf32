package io.lapwing.linux;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Follows the kernel's log, from what was buffered since boot on: {@code /dev/kmsg}, or a FIFO or a
 * regular file that holds records of its form; where it cannot be opened, a file that syslog
 * writes. Only messages of the kernel itself are told.
 *
 * <p>It runs on two daemon threads: one reads, the other calls the listener. Memory is bounded; a
 * listener that is too slow makes the kernel overwrite what is not read, which is counted.
 */
public final class KernelLog implements AutoCloseable {

  /** Hears of the log, on one thread, in the order of the log. */
  public interface Listener {

    /** Messages of interest, at most 256 at once: what was there without waiting for more. */
    void records(List<KernelRecord> batch);

    /** So many messages, of any kind, were gone before they could be read; known by sequence. */
    void lost(long messages);

    /** The log is read from now on, or is not; told once for each change. */
    void state(KernelLogState state);
  }

  /**
   * What is to be followed.
   *
   * @param kmsg {@code /dev/kmsg} on a plain host
   * @param logs log files, of which the first that can be read replaces {@code kmsg} where that
   *     cannot be opened
   * @param afterSequence records up to this one are not told: they were before a restart. Of this
   *     boot; sequences begin at 0 in each
   * @param afterTime lines of log files up to this time are not told, nor those before the boot
   * @param words in ASCII; a message of interest holds one of them
   * @param zone of the times in log files that name none; asked for when such a file is read, since
   *     the zones of the world are a third of a megabyte
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

    /** For the messages of NVIDIA's drivers on the host whose root folder is given. */
    public static Settings nvidia(
        Path kmsg, Path rootfs, OptionalLong afterSequence, Optional<Instant> afterTime) {
      return new Settings(
          kmsg,
          LOGS.stream().map(rootfs::resolve).toList(),
          afterSequence,
          afterTime,
          NVIDIA,
          ZoneId::systemDefault);
    }
  }

  /**
   * What was met until now.
   *
   * @param records of any kind
   * @param malformed of them in no form of /dev/kmsg
   * @param cut records of more than 64 KiB
   */
  public record Counts(long records, long malformed, long cut) {}

  /** Opens a log in the form of /dev/kmsg. */
  interface Opener {
    KernelLogFiles.Opened open(Path path) throws IOException;
  }

  private static final List<String> LOGS =
      List.of("var/log/kern.log", "var/log/syslog", "var/log/messages");

  private static final List<String> NVIDIA = List.of("NVRM", "nvidia-nvswitch");

  private static final long TAIL = 1024 * 1024;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration CLOSING = Duration.ofSeconds(2);

  private final Settings settings;
  private final Opener opener;
  private final KernelLogTally tally = new KernelLogTally();
  private final KernelLogDelivery delivery;
  private final KmsgSequences sequences;
  private final KmsgSink records;
  private final LogFileSink lines;
  private final BootClock boot;
  private final Thread reading = daemon(this::read, "kernel-log");
  private final Thread telling;
  private boolean started;

  /** Once it was followed no log file replaces it: a file replaced is missing for a moment too. */
  private Optional<KernelLogState.Kind> followed = Optional.empty();

  /** Whether the log was opened before without a single read that succeeded. */
  private boolean doubtful;

  private Duration pause = FIRST_PAUSE;

  /**
   * A log not followed yet.
   *
   * @param bootTime when the machine was booted, by the wall clock; empty where unknown
   */
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
      Opener opener) {
    this.settings = settings;
    this.opener = opener;
    this.boot = new BootClock(clock, bootTime);
    this.delivery = new KernelLogDelivery(listener, settings.afterSequence());
    this.telling = daemon(delivery, "kernel-log-events");
    this.sequences = new KmsgSequences(settings.afterSequence());
    ByteWords words = new ByteWords(settings.words());
    this.records = new KmsgSink(sequences, words, boot, delivery, tally);
    this.lines = new LogFileSink(words, clock, settings.zone(), delivery, tally);
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
      telling.start();
      reading.start();
    }
  }

  /**
   * The sequence up to which the listener has seen all that is of interest: what to go on after
   * when the agent is started again in this boot. Empty while nothing was read.
   */
  public OptionalLong readTo() {
    return delivery.done();
  }

  public Counts counts() {
    return tally.counts();
  }

  /** Ends both threads, also out of a read that waits; the listener is called no more. */
  @Override
  public void close() {
    synchronized (this) {
      started = true;
    }
    reading.interrupt();
    telling.interrupt();
    join(reading);
    join(telling);
  }

  private static void join(Thread thread) {
    try {
      if (thread.isAlive() && !thread.equals(Thread.currentThread())) {
        thread.join(CLOSING.toMillis());
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        guardedTurn();
        Thread.sleep(pause.toMillis());
        pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** A bug must not leave a state behind that says all is well. */
  private void guardedTurn() throws InterruptedException {
    try {
      turn();
    } catch (RuntimeException bug) {
      delivery.state(
          new KernelLogState.Unavailable(
              "io", "reading " + settings.kmsg() + " failed: " + bug, "report this as a bug"));
    }
  }

  private void turn() throws InterruptedException {
    try {
      KernelLogFiles.Opened opened = opener.open(settings.kmsg());
      try (RecordReader reader = opened.reader()) {
        followed = Optional.of(opened.kind());
        follow(reader, new KernelLogState.Following(settings.kmsg(), opened.kind()));
      }
    } catch (IOException failed) {
      if (failed instanceof NoSuchFileException
          && followed.equals(Optional.of(KernelLogState.Kind.FILE))) {
        sequences.anew();
      }
      unavailable(KernelLogState.unavailable(settings.kmsg(), failed));
    }
  }

  /** A log that can be opened and never read must not be told to be followed at each try. */
  private void follow(RecordReader reader, KernelLogState state)
      throws IOException, InterruptedException {
    sequences.reopened();
    if (!doubtful) {
      delivery.state(state);
    }
    doubtful = true;
    new LogPump(reader, new RecordBuffer(true, tally), new Told(records, state)).run();
  }

  private void unavailable(KernelLogState.Unavailable why) throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    if (followed.isEmpty()) {
      for (Path log : settings.logs()) {
        fallBack(log, why);
      }
    }
    delivery.state(why);
  }

  private void fallBack(Path log, KernelLogState.Unavailable why) throws InterruptedException {
    try (AppendedFile file = AppendedFile.tail(log, TAIL)) {
      KernelLogState state = new KernelLogState.Fallback(log, why.why());
      RecordBuffer buffer = new RecordBuffer(false, tally);
      if (file.fromMiddle()) {
        buffer.dropToLineEnd();
      }
      delivery.state(state);
      lines.opened(after());
      new LogPump(file, buffer, new Told(lines, state)).run();
    } catch (IOException notThisOne) {
      // The next one may be there; if none is, the state says so.
      doubtful = false;
    }
  }

  private Optional<Instant> after() {
    return Stream.of(settings.afterTime(), boot.get())
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder());
  }

  /** Notes that reading succeeds. */
  private final class Told implements LogPump.Sink {

    private final LogPump.Sink sink;
    private final KernelLogState state;

    Told(LogPump.Sink sink, KernelLogState state) {
      this.sink = sink;
      this.state = state;
    }

    @Override
    public void record(byte[] bytes, int from, int to) throws InterruptedException {
      sink.record(bytes, from, to);
    }

    @Override
    public void caughtUp() throws InterruptedException {
      doubtful = false;
      pause = FIRST_PAUSE;
      delivery.state(state);
      sink.caughtUp();
    }

    @Override
    public void anew() {
      sink.anew();
    }
  }
}
