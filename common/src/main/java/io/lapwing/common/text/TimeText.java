package io.lapwing.common.text;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** Formats instants, in UTC, and durations for people. */
public final class TimeText {

  private static final DateTimeFormatter MOMENT = utc("yyyy-MM-dd HH:mm:ss'Z'");
  private static final DateTimeFormatter TIME = utc("HH:mm:ss'Z'");
  private static final DateTimeFormatter DAY = utc("yyyy-MM-dd");

  private static final List<ChronoUnit> UNITS =
      List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS);

  private TimeText() {}

  private static DateTimeFormatter utc(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  /** {@code 2026-11-20 03:12:44Z}. */
  public static String moment(Instant at) {
    return MOMENT.format(at);
  }

  /** {@code 03:12:44Z}, or {@code 2026-11-18} if a day or more away. */
  public static String brief(Instant at, Instant now) {
    boolean near = Duration.between(at, now).abs().compareTo(Duration.ofDays(1)) < 0;
    return (near ? TIME : DAY).format(at);
  }

  /** {@code 2026-11-20 03:12:44Z, 2 h 5 min ago}. */
  public static String ago(Instant at, Instant now) {
    Duration age = Duration.between(at, now);
    return moment(at) + (age.isNegative() ? "" : ", " + span(age) + " ago");
  }

  /** {@code 3 d 4 h}, {@code 2 h 5 min}, {@code 5 min}, {@code 42 s}. */
  public static String span(Duration span) {
    if (span.toDays() > 0) {
      return span.toDays() + " d " + span.toHoursPart() + " h";
    }
    if (span.toHours() > 0) {
      return span.toHours() + " h " + span.toMinutesPart() + " min";
    }
    return span.toMinutes() > 0 ? span.toMinutes() + " min" : span.toSeconds() + " s";
  }

  /** With the largest unit that gives a whole number, as in options: {@code 90s}, {@code 2h}. */
  public static String exact(Duration duration) {
    long millis = duration.toMillis();
    for (ChronoUnit unit : UNITS) {
      long size = unit.getDuration().toMillis();
      if (millis % size == 0) {
        return millis / size + unit.toString().substring(0, 1).toLowerCase(Locale.ROOT);
      }
    }
    return millis + "ms";
  }
}
