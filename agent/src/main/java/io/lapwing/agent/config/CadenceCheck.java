package io.lapwing.agent.config;

import java.time.Duration;

/** The cadences together: each makes sense alone only if the next is not shorter. */
final class CadenceCheck {
  private static final Duration SHORTEST = Duration.ofMillis(200);

  private final Values values;

  CadenceCheck(Values values) {
    this.values = values;
  }

  void run() {
    if (values.get(Options.FAST).compareTo(SHORTEST) < 0) {
      values.problem(
          Options.FAST,
          values.text(Options.FAST) + " is shorter than " + DurationText.of(SHORTEST));
    }
    notLonger(Options.FAST, Options.MEDIUM);
    notLonger(Options.MEDIUM, Options.SLOW);
  }

  private void notLonger(Option<Duration> quick, Option<Duration> slow) {
    if (values.get(quick).compareTo(values.get(slow)) > 0) {
      // The one that was set is the one to look at.
      boolean quickSet = values.isGiven(quick);
      Option<Duration> blamed = quickSet ? quick : slow;
      Option<Duration> other = quickSet ? slow : quick;
      String relation = quickSet ? " is longer than " : " is shorter than ";
      values.problem(
          blamed, values.text(blamed) + relation + other.name() + ", " + values.text(other));
    }
  }
}
