package io.lapwing.simulator;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rate of a node's time: real, stopped or faster, as in the state line {@code time}.
 *
 * @param from the node's time at {@code since}
 * @param rate 0 if stopped
 * @param since by the real clock
 */
record NodeTime(Instant from, double rate, Instant since) {
  static final NodeTime LIVE = new NodeTime(Instant.EPOCH, 1, Instant.EPOCH);

  private static final Pattern PACED =
      Pattern.compile("(\\d+(?:\\.\\d+)?) \\+ (\\d+(?:\\.\\d+)?)/s since (\\d+(?:\\.\\d+)?)");

  /**
   * Readers may use the earlier line for this long. A node that is slowed down skips the time that
   * may have passed for them, because time must not go back.
   */
  private static final Duration SEEN_BY = Duration.ofMillis(200);

  static NodeTime of(String line) {
    if (line.equals("live")) {
      return LIVE;
    }
    Matcher paced = PACED.matcher(line);
    return paced.matches()
        ? new NodeTime(
            Epoch.moment(paced.group(1)),
            Double.parseDouble(paced.group(2)),
            Epoch.moment(paced.group(3)))
        : new NodeTime(Epoch.moment(line), 0, Instant.EPOCH);
  }

  boolean isStopped() {
    return rate == 0;
  }

  /** The node's time. */
  Instant at(Instant real) {
    if (rate == 0 || equals(LIVE)) {
      return rate == 0 ? from : real;
    }
    long passed = Math.max(0, Duration.between(since, real).toNanos());
    return from.plusNanos((long) (passed * rate));
  }

  /** Runs the time faster than real time by a factor. */
  NodeTime paced(double faster, Instant real) {
    return new NodeTime(at(faster < rate ? real.plus(SEEN_BY) : real), faster, real);
  }

  String line() {
    if (equals(LIVE)) {
      return "live";
    }
    return isStopped()
        ? Epoch.seconds(from)
        : "%s + %s/s since %s"
            .formatted(
                Epoch.seconds(from),
                new BigDecimal(Double.toString(rate)).toPlainString(),
                Epoch.seconds(since));
  }
}
