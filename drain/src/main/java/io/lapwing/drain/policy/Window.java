package io.lapwing.drain.policy;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Set;

/**
 * A time of the week, such as Monday to Friday from 22:00 to 06:00. If it ends before it starts, it
 * ends on the next day; if both are the same, it lasts for a day.
 *
 * @param days on which it starts
 * @param verbs that it is about; empty for all
 * @param refuses whether they are refused in it; else they are only permitted in such windows
 */
public record Window(
    Set<DayOfWeek> days,
    LocalTime start,
    LocalTime end,
    ZoneId zone,
    Set<Verb> verbs,
    boolean refuses) {

  public Window {
    days = Set.copyOf(days);
    verbs = Set.copyOf(verbs);
  }

  /** Whether it is about that. */
  public boolean concerns(Verb verb) {
    return verbs.isEmpty() || verbs.contains(verb);
  }

  /** Whether it is open, by the clock of its zone. */
  public boolean contains(Instant now) {
    ZonedDateTime local = now.atZone(zone);
    LocalTime time = local.toLocalTime();
    DayOfWeek today = local.getDayOfWeek();
    if (start.isBefore(end)) {
      return days.contains(today) && !time.isBefore(start) && time.isBefore(end);
    }
    return (days.contains(today) && !time.isBefore(start))
        || (days.contains(today.minus(1)) && time.isBefore(end));
  }

  @Override
  public String toString() {
    return days.stream().sorted().map(Enum::name).toList()
        + " "
        + start
        + " to "
        + end
        + " "
        + zone;
  }
}
