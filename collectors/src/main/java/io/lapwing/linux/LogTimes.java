package io.lapwing.linux;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Dates the lines of one saved log in their order, and recognises the boots in it: by {@code Linux
 * version}, by the journal's boot ID or {@code -- Boot}, and by seconds since boot that start
 * again.
 */
final class LogTimes {

  /** The driver, and with it the first message that a filtered log has, is loaded by then. */
  private static final Duration STARTED = Duration.ofMinutes(10);

  /** Messages of several CPUs are out of order by less. */
  private static final Duration JITTER = Duration.ofSeconds(10);

  /** The name of a process, at most 15 bytes, can be {@code Linux version 9}, but no more. */
  private static final Pattern VERSION =
      Pattern.compile("Linux version \\d{1,3}\\.\\d{1,5}\\S*(?: \\(.*)?", Pattern.DOTALL);

  private final Optional<Instant> firstBoot;
  private Optional<Instant> boot;
  private Optional<Instant> last = Optional.empty();
  private Optional<Duration> sinceBoot = Optional.empty();
  private Optional<String> bootId = Optional.empty();

  /** A boot was recognised, and its {@code Linux version} may follow. */
  private boolean announced;

  /** A boot was recognised between two lines. */
  private boolean due;

  LogTimes(LogDating dating) {
    this.firstBoot = dating.boot();
    this.boot = dating.boot();
  }

  /** {@code -- Boot 91e5da22438a3d879584c0c11f0a2df0 --} between two boots, or {@code Reboot}. */
  void marker() {
    due = true;
  }

  /** The boot that the next line belongs to. */
  void bootId(Optional<String> id) {
    due |= id.isPresent() && bootId.isPresent() && !id.equals(bootId);
    bootId = id.or(() -> bootId);
  }

  /** Whether the next line is the first of another boot. */
  boolean starts(LogLine line) {
    boolean version = line.kernel().filter(LogTimes::isVersion).isPresent();
    boolean known = due || restarts(line);
    boolean starts = known || (version && !announced);
    if (known || version) {
      announced = !version;
    }
    due = false;
    if (starts) {
      sinceBoot = Optional.empty();
      // Without dates a boot continues where the one before ended.
      boot = firstBoot.isPresent() && last.isPresent() ? last : boot;
    }
    return starts;
  }

  private static boolean isVersion(String text) {
    return VERSION.matcher(text).matches();
  }

  /** Files in the wrong order have earlier dates too. */
  private boolean restarts(LogLine line) {
    boolean earlier =
        line.time() instanceof LogLine.Time.Wall wall
            && last.filter(before -> wall.at().isBefore(before)).isPresent();
    return !earlier
        && line.sinceBoot().isPresent()
        && line.sinceBoot().get().compareTo(STARTED) < 0
        && sinceBoot
            .filter(before -> before.compareTo(line.sinceBoot().get().plus(JITTER)) > 0)
            .isPresent();
  }

  /** The time of the next line; empty if unknown. */
  Optional<Instant> at(LogLine line) {
    sinceBoot = line.sinceBoot().or(() -> sinceBoot);
    Optional<Instant> at = dated(line.time());
    last = at.or(() -> last);
    return at;
  }

  private Optional<Instant> dated(LogLine.Time time) {
    if (time instanceof LogLine.Time.Wall wall) {
      return Optional.of(wall.at());
    }
    if (time instanceof LogLine.Time.SinceBoot since) {
      return boot.flatMap(at -> after(at, since.elapsed()));
    }
    return time instanceof LogLine.Time.SinceLast since
        ? last.flatMap(at -> after(at, since.elapsed()))
        : Optional.empty();
  }

  private static Optional<Instant> after(Instant at, Duration elapsed) {
    try {
      return Optional.of(at.plus(elapsed));
    } catch (DateTimeException beyond) {
      return Optional.empty();
    }
  }
}
