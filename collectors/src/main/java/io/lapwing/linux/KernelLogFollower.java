package io.lapwing.linux;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Opens the kernel's log and reads it until it fails, then retries with exponential backoff; falls
 * back to a log file if the device was never opened. Runs on the reading thread.
 */
final class KernelLogFollower implements Runnable {

  private static final long TAIL = 1024 * 1024;
  private static final Duration MIN_BACKOFF = Duration.ofMillis(250);
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

  /** Where records of /dev/kmsg and lines of syslog files go; {@code sequences} were read. */
  record Sinks(
      KmsgSequences sequences,
      KmsgSink records,
      LogFileSink lines,
      KernelLogDelivery delivery,
      KernelLogTally tally) {}

  private final KernelLog.Settings settings;
  private final KernelLogFiles.Opener opener;
  private final Supplier<Optional<Instant>> boot;
  private final Sinks sinks;

  /**
   * The kind opened last: once it was open, no log file is used as a fallback, since a file being
   * replaced is missing for a moment too.
   */
  private Optional<KernelLogState.Kind> opened = Optional.empty();

  /** The log was opened, but no read has succeeded since. */
  private boolean unproven;

  private Duration backoff = MIN_BACKOFF;

  KernelLogFollower(
      KernelLog.Settings settings,
      KernelLogFiles.Opener opener,
      Supplier<Optional<Instant>> boot,
      Sinks sinks) {
    this.settings = settings;
    this.opener = opener;
    this.boot = boot;
    this.sinks = sinks;
  }

  @Override
  public void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        guardedAttempt();
        Thread.sleep(backoff.toMillis());
        Duration twice = backoff.multipliedBy(2);
        backoff = twice.compareTo(MAX_BACKOFF) < 0 ? twice : MAX_BACKOFF;
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** A bug must not leave the state at following. */
  private void guardedAttempt() throws InterruptedException {
    try {
      attempt();
    } catch (RuntimeException bug) {
      sinks
          .delivery()
          .state(
              new KernelLogState.Unavailable(
                  "io", "reading " + settings.kmsg() + " failed: " + bug, "report this as a bug"));
    }
  }

  private void attempt() throws InterruptedException {
    try {
      KernelLogFiles.Opened log = opener.open(settings.kmsg());
      try (RecordReader reader = log.reader()) {
        opened = Optional.of(log.kind());
        follow(reader, new KernelLogState.Following(settings.kmsg(), log.kind()));
      }
    } catch (IOException failed) {
      if (failed instanceof NoSuchFileException
          && opened.equals(Optional.of(KernelLogState.Kind.FILE))) {
        sinks.sequences().reset();
      }
      unavailable(KernelLogState.unavailable(settings.kmsg(), failed));
    }
  }

  /** A log that opens but never reads must not be reported as followed at each attempt. */
  private void follow(RecordReader reader, KernelLogState.Following state)
      throws IOException, InterruptedException {
    sinks.records().reopened(state.kind() == KernelLogState.Kind.KMSG);
    if (!unproven) {
      sinks.delivery().state(state);
    }
    unproven = true;
    RecordBuffer buffer = new RecordBuffer(true, sinks.tally());
    new LogPump(reader, buffer, new SuccessNoting(sinks.records(), state)).run();
  }

  private void unavailable(KernelLogState.Unavailable why) throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    if (opened.isEmpty()) {
      for (Path log : settings.logs()) {
        fallBack(log, why);
      }
    }
    sinks.delivery().state(why);
  }

  private void fallBack(Path log, KernelLogState.Unavailable why) throws InterruptedException {
    try (AppendedFile file = AppendedFile.tail(log, TAIL)) {
      KernelLogState state = new KernelLogState.Fallback(log, why.why());
      RecordBuffer buffer = new RecordBuffer(false, sinks.tally());
      if (file.fromMiddle()) {
        buffer.dropToLineEnd();
      }
      sinks.delivery().state(state);
      sinks.lines().opened(skipUntil());
      new LogPump(file, buffer, new SuccessNoting(sinks.lines(), state)).run();
    } catch (IOException unreadable) {
      // Try the next file; if none is readable, the state reports it.
      unproven = false;
    }
  }

  private Optional<Instant> skipUntil() {
    return Stream.of(settings.afterTime(), boot.get())
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder());
  }

  /** Resets the backoff and reports the state after each successful read. */
  private final class SuccessNoting implements LogPump.Sink {

    private final LogPump.Sink sink;
    private final KernelLogState state;

    SuccessNoting(LogPump.Sink sink, KernelLogState state) {
      this.sink = sink;
      this.state = state;
    }

    @Override
    public void record(byte[] bytes, int from, int to) throws InterruptedException {
      sink.record(bytes, from, to);
    }

    @Override
    public void caughtUp() throws InterruptedException {
      unproven = false;
      backoff = MIN_BACKOFF;
      sinks.delivery().state(state);
      sink.caughtUp();
    }

    @Override
    public void replaced() {
      sink.replaced();
    }
  }
}
