package io.lapwing.linux;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One line of a saved log in a known form.
 *
 * @param time of the message, as the line states it
 * @param sinceBoot where the line has it too: {@code host kernel: [ 12.345678] NVRM: ...}
 * @param kernel the message if the kernel wrote it; empty if another program did
 */
record LogLine(Time time, Optional<Duration> sinceBoot, Optional<String> kernel) {

  /** How a line states its time. */
  sealed interface Time {

    /** Not at all, or as a date that does not exist. */
    record Unknown() implements Time {}

    record Wall(Instant at) implements Time {}

    record SinceBoot(Duration elapsed) implements Time {}

    /** Since the line before: {@code dmesg -H}. */
    record SinceLast(Duration elapsed) implements Time {}
  }

  private static final Time UNKNOWN = new Time.Unknown();

  static LogLine at(Optional<Instant> wall, Optional<String> kernel) {
    return new LogLine(wall.<Time>map(Time.Wall::new).orElse(UNKNOWN), Optional.empty(), kernel);
  }

  static LogLine timeless(String kernel) {
    return new LogLine(UNKNOWN, Optional.empty(), Optional.of(kernel));
  }

  static LogLine sinceBoot(Duration elapsed, String kernel) {
    return new LogLine(new Time.SinceBoot(elapsed), Optional.of(elapsed), Optional.of(kernel));
  }

  static LogLine sinceLast(Duration elapsed, String kernel) {
    return new LogLine(new Time.SinceLast(elapsed), Optional.empty(), Optional.of(kernel));
  }

  /** The same line, of another program. */
  LogLine ofAnother() {
    return new LogLine(time, sinceBoot, Optional.empty());
  }

  /** The same line with the date that stands around it, unless it has one of its own. */
  LogLine orAt(Optional<Instant> outer) {
    return time instanceof Time.Wall || outer.isEmpty()
        ? this
        : new LogLine(new Time.Wall(outer.get()), sinceBoot, kernel);
  }
}
