package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * When one GPU's count of corrected errors increased, merged from its events, oldest first.
 *
 * <p>The event log records the first growth and then one event an hour, so a burst of one minute
 * may be in two of them. Growth that starts within an hour of the previous one is therefore merged
 * into the same {@link ErrorHour}: a burst is one hour, and more hours are more than one burst.
 */
final class ErrorHours {

  private static final double HOUR = 3_600_000;

  /** The log's hours may be a few seconds short. */
  private static final double ALMOST_AN_HOUR = 0.9;

  private final long now;
  private final List<ErrorHour> hours = new ArrayList<>();
  private long last = Long.MIN_VALUE;
  private long count;

  /** All hours are counted back from now. */
  ErrorHours(Instant now) {
    this.now = now.toEpochMilli();
  }

  /**
   * Adds growth within (since, at]. A running agent records growth within the hour, so a longer
   * interval is cut to that.
   *
   * @param resumed when the agent last started; growth may have happened at any time before that
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
  }

  /** Adds the growth since the last event, given the current count. */
  void stands(long current) {
    if (last != Long.MIN_VALUE && current > count) {
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
      ErrorHour open = hours.get(newest);
      hours.set(newest, new ErrorHour(open.from(), to, open.errors() + errors));
    } else {
      hours.add(new ErrorHour(from, to, errors));
    }
  }

  private double before(long moment) {
    return (now - moment) / HOUR;
  }

  /**
   * The hours whose middle is in this range of hours before now, {@code to} inclusive; newest
   * first.
   */
  List<ErrorHour> between(double from, double to) {
    List<ErrorHour> some = new ArrayList<>();
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
    for (ErrorHour hour : hours) {
      sum += hour.errorsSince(before);
    }
    return sum;
  }
}
