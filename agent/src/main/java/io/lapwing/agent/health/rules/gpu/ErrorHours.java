package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * When one GPU's corrected errors increased, oldest first. A burst may be in two events (the log
 * has the first growth, then one an hour), so growth within an hour of the last is merged into its
 * {@link Hour}.
 */
final class ErrorHours {

  private static final double HOUR = 3_600_000;

  /** The log's hours may be a few seconds short. */
  private static final double ALMOST_AN_HOUR = 0.9;

  private final long now;
  private final List<Hour> hours = new ArrayList<>();
  private long last = Long.MIN_VALUE;
  private long count;
  private boolean sinceLoad;

  /** All hours are counted back from now. */
  ErrorHours(Instant now) {
    this.now = now.toEpochMilli();
  }

  /**
   * Adds growth, cut to an hour: a running agent records it within that. Growth before {@code
   * resumed} may be older.
   */
  void grew(Event.EccGrowth growth, Instant resumed) {
    long end = Math.min(now, growth.at().toEpochMilli());
    long start = Math.min(end, growth.since().toEpochMilli());
    if (!resumed.isAfter(growth.since())) {
      start = Math.max(start, end - (long) HOUR);
    }
    add(start, end, growth.to() - growth.from());
    last = end;
    count = growth.to();
    sinceLoad = growth.sinceLoad();
  }

  /** Adds the growth since the last event, given the current count of the same counter. */
  void addUpTo(long current, boolean ofSinceLoad) {
    if (last != Long.MIN_VALUE && ofSinceLoad == sinceLoad && current > count) {
      add(last, now, current - count);
    }
  }

  private void add(long start, long end, long errors) {
    if (errors <= 0) {
      return;
    }
    double from = before(start);
    double to = before(end);
    int newest = hours.size() - 1;
    if (newest >= 0 && hours.get(newest).from() - from < ALMOST_AN_HOUR) {
      Hour open = hours.get(newest);
      hours.set(newest, new Hour(open.from(), to, open.errors() + errors));
    } else {
      hours.add(new Hour(from, to, errors));
    }
  }

  private double before(long moment) {
    return (now - moment) / HOUR;
  }

  /**
   * The hours whose middle is in this range of hours before now ({@code to} inclusive), newest
   * first.
   */
  List<Hour> between(double from, double to) {
    List<Hour> some = new ArrayList<>();
    for (int i = hours.size() - 1; i >= 0 && hours.get(i).middle() < from; i--) {
      if (hours.get(i).middle() >= to) {
        some.add(hours.get(i));
      }
    }
    return some;
  }

  /** Errors in the last so many hours. */
  double errorsSince(double before) {
    double sum = 0;
    for (Hour hour : hours) {
      sum += hour.errorsSince(before);
    }
    return sum;
  }

  /** At least an hour of growth, from and to in hours before now; the time within it is unknown. */
  record Hour(double from, double to, double errors) {

    /** Length in hours, at least one: growth within a moment counts for its whole hour. */
    double length() {
      return Math.max(1, from - to);
    }

    double rate() {
      return errors / length();
    }

    /** Which side of a border it is on. */
    double middle() {
      return (from + to) / 2;
    }

    /** Errors later than so many hours before now, assuming an even spread. */
    double errorsSince(double hours) {
      if (from <= hours) {
        return errors;
      }
      return to >= hours ? 0 : errors * (hours - to) / (from - to);
    }
  }
}
