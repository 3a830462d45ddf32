package io.lapwing.linux;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.TextStyle;
import java.time.temporal.TemporalQueries;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What dates log lines: the boot for seconds since then, the present as upper limit (gives {@code
 * Feb 23 16:24:18} its year), and the zone of times that name none.
 */
public record LogDating(Optional<Instant> boot, Instant now, ZoneId zone) {

  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

  /** Clocks and time zones differ by less. */
  private static final Duration SKEW = Duration.ofDays(1);

  /** The longest gap between two 29ths of February. */
  private static final int YEARS = 8;

  /** From {@code 2025-02-23T16:24:18.123} and {@code +00:00}, {@code +0000} or {@code Z}. */
  static Optional<Instant> iso(String dateTime, String offset) {
    try {
      return Optional.of(LocalDateTime.parse(dateTime).toInstant(ZoneOffset.of(offset)));
    } catch (DateTimeException noSuchTime) {
      return Optional.empty();
    }
  }

  /** From {@code 2025-02-23T16:24:18.123Z}, or with an offset. */
  static Optional<Instant> instant(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException noSuchTime) {
      return Optional.empty();
    }
  }

  /**
   * From {@code 2025-02-23T16:24:18} and {@code UTC}, {@code CET}, {@code +03}. Of the zones that
   * share an abbreviation, {@link #zone} or else the one that CLDR prefers.
   */
  Optional<Instant> zoned(String dateTime, String zoneText) {
    if (zoneText.equals("UTC") || zoneText.equals("GMT")) {
      return iso(dateTime, "Z");
    }
    if (!Character.isLetter(zoneText.charAt(0))) {
      return iso(dateTime, zoneText);
    }
    try {
      ZoneId named =
          new DateTimeFormatterBuilder()
              .appendZoneText(TextStyle.SHORT, Set.of(zone))
              .toFormatter(Locale.ENGLISH)
              .parse(zoneText, TemporalQueries.zone());
      return Optional.of(LocalDateTime.parse(dateTime).atZone(named).toInstant());
    } catch (DateTimeException noSuchZone) {
      return Optional.empty();
    }
  }

  /** From {@code Feb}, {@code 23}, {@code 16:24:18} and {@code 2025}. */
  Optional<Instant> wall(String month, String day, String time, int year) {
    try {
      LocalDate date = LocalDate.of(year, MONTHS.indexOf(month) + 1, Integer.parseInt(day));
      return Optional.of(date.atTime(LocalTime.parse(time)).atZone(zone).toInstant());
    } catch (DateTimeException noSuchTime) {
      return Optional.empty();
    }
  }

  /** The latest such time that is not in the future: December's lines are read in January too. */
  Optional<Instant> wall(String month, String day, String time) {
    int newest = now.atZone(zone).getYear() + 1;
    return IntStream.rangeClosed(0, YEARS + 1)
        .mapToObj(back -> wall(month, day, time, newest - back))
        .flatMap(Optional::stream)
        .filter(at -> !at.isAfter(now.plus(SKEW)))
        .findFirst();
  }
}
