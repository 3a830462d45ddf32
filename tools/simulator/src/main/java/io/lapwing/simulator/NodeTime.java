package io.lapwing.simulator;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a node's time runs: with the real one, not at all, or faster. It is what the line {@code
 * time} of the state says.
 *
 * @param from the node's moment at {@code since}
 * @param rate 0 where it stands
 * @param since by the real clock
 */
record NodeTime(Instant from, double rate, Instant since) {
  static final NodeTime LIVE = new NodeTime(Instant.EPOCH, 1, Instant.EPOCH);

  private static final Pattern PACED =
      Pattern.compile("(\\d+(?:\\.\\d+)?) \\+ (\\d+(?:\\.\\d+)?)/s since (\\d+(?:\\.\\d+)?)");

  /**
   * For so long whoever reads the state may still go by the line before; a node that is slowed down
   * leaps over what may have passed for them meanwhile, since time must not go back.
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

  boolean stands() {
    return rate == 0;
  }

  /** What time it is on the node. */
  Instant at(Instant real) {
    if (rate == 0 || equals(LIVE)) {
      return rate == 0 ? from : real;
    }
    long passed = Math.max(0, Duration.between(since, real).toNanos());
    return from.plusNanos((long) (passed * rate));
  }

  /** From now on so many times as fast as the real one. */
  NodeTime paced(double faster, Instant real) {
    return new NodeTime(at(faster < rate ? real.plus(SEEN_BY) : real), faster, real);
  }

  String line() {
    if (equals(LIVE)) {
      return "live";
    }
    return stands()
        ? Epoch.seconds(from)
        : "%s + %s/s since %s"
            .formatted(
                Epoch.seconds(from),
                new BigDecimal(Double.toString(rate)).toPlainString(),
                Epoch.seconds(since));
  }
}
