package io.lapwing.linux;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Delivers the kernel's lines of a syslog file that contain a word of interest. */
final class LogFileSink implements LogPump.Sink {

  private final ByteWords words;
  private final InstantSource clock;
  private final Supplier<ZoneId> zone;
  private final KernelLogDelivery delivery;
  private final KernelLogTally tally;
  private Optional<Instant> after = Optional.empty();
  private Optional<Instant> newest = Optional.empty();
  private boolean backlog;

  /** A sink for one or more files in turn. */
  LogFileSink(
      ByteWords words,
      InstantSource clock,
      Supplier<ZoneId> zone,
      KernelLogDelivery delivery,
      KernelLogTally tally) {
    this.words = words;
    this.clock = clock;
    this.zone = zone;
    this.delivery = delivery;
    this.tally = tally;
  }

  /** Opens a file: existing lines are new only if later than {@code handled}; none if empty. */
  void opened(Optional<Instant> handled) {
    after = latest(handled, newest);
    backlog = true;
  }

  @Override
  public void record(byte[] bytes, int from, int to) throws InterruptedException {
    tally.record();
    if (words.in(bytes, from, to)) {
      String line = new String(bytes, from, to - from, StandardCharsets.UTF_8).stripTrailing();
      Optional<KernelRecord> record =
          KernelLogLine.syslog(line, new LogDating(Optional.empty(), clock.instant(), zone.get()))
              .filter(this::isNew);
      if (record.isPresent()) {
        delivery.message(record.get());
        newest = latest(newest, record.get().at());
      }
    }
  }

  private boolean isNew(KernelRecord record) {
    return !backlog
        || (after.isPresent() && record.at().filter(at -> at.isAfter(after.get())).isPresent());
  }

  private static Optional<Instant> latest(Optional<Instant> one, Optional<Instant> other) {
    return Stream.of(one, other).flatMap(Optional::stream).max(Comparator.naturalOrder());
  }

  @Override
  public void caughtUp() {
    backlog = false;
  }

  @Override
  public void replaced() {
    backlog = false;
  }
}
