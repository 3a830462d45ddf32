package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.RulePolicy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Searches one GPU's errors for an acceleration in a window of hours against a past. Compares
 * hours, not counts, since a burst of any size is one hour. The k-th loudest hour is the level
 * reached k times; a past hour is loud at the share {@code own_factor} of it.
 */
record AccelerationSearch(int window, int past) {

  /** Fast: the rate doubles within hours to a day. The baseline is everything before the window. */
  static final AccelerationSearch HOURS = new AccelerationSearch(6, 6);

  /**
   * The rate doubles within about a day. The days in between are part of the growth and excluded.
   */
  static final AccelerationSearch DAYS = new AccelerationSearch(24, 72);

  /**
   * The least likely acceleration below the policy's limit, of a GPU {@code watched} for some
   * hours.
   */
  Optional<Acceleration> in(
      ErrorHours errors, double watched, Supplier<OptionalDouble> siblings, RulePolicy policy) {
    double start = Math.min(watched, 24 * policy.threshold(SbeAcceleration.BASELINE));
    if (start - past < policy.threshold(SbeAcceleration.WATCHED)) {
      return Optional.empty();
    }
    List<ErrorHours.Hour> loudest = loudest(errors.between(window, 0));
    int least = (int) policy.threshold(SbeAcceleration.SEPARATE);
    double floor = policy.threshold(SbeAcceleration.FLOOR);
    if (held(loudest, least) < floor) {
      return Optional.empty();
    }
    OptionalDouble median = siblings.get();
    floor = Math.max(floor, median.orElse(0) * policy.threshold(SbeAcceleration.SIBLINGS));
    if (held(loudest, least) < floor) {
      return Optional.empty();
    }
    Optional<Acceleration> best = Optional.empty();
    List<ErrorHours.Hour> before = errors.between(start, past);
    for (int k = least; k <= window && held(loudest, k) >= floor; k++) {
      Acceleration found =
          compared(errors, before, start - past, k, held(loudest, k), median, policy);
      if (best.isEmpty() || found.chance() < best.get().chance()) {
        best = Optional.of(found);
      }
    }
    return best.filter(found -> found.chance() <= policy.threshold(SbeAcceleration.CHANCE));
  }

  double mean(ErrorHours errors) {
    return errors.between(window, 0).stream().mapToDouble(ErrorHours.Hour::errors).sum() / window;
  }

  /** The errors an hour that at least this many hours reached. */
  private static double held(List<ErrorHours.Hour> loudest, int hours) {
    return hours > loudest.size() ? 0 : loudest.get(hours - 1).rate();
  }

  private static List<ErrorHours.Hour> loudest(List<ErrorHours.Hour> hours) {
    hours.sort(Comparator.comparingDouble(ErrorHours.Hour::rate).reversed());
    return hours;
  }

  private Acceleration compared(
      ErrorHours errors,
      List<ErrorHours.Hour> before,
      double watched,
      int hours,
      double level,
      OptionalDouble siblings,
      RulePolicy policy) {
    double near = level / policy.threshold(SbeAcceleration.OWN);
    double loud = 0;
    double others = 0;
    for (ErrorHours.Hour hour : before) {
      if (hour.rate() >= near) {
        loud += hour.length();
      } else {
        others += hour.errors();
      }
    }
    return new Acceleration(
        this,
        errors.errorsSince(1),
        level,
        hours,
        watched,
        loud,
        others / Math.max(1, watched - loud),
        siblings,
        new BetaBinomial(loud, watched).atLeast(hours, window));
  }

  /**
   * Predicts how many of the next hours are loud from the {@code loud} (may be a fraction) of
   * {@code all} so far, with Jeffreys' prior Beta(1/2, 1/2).
   */
  record BetaBinomial(double loud, double all) {

    private static final double PRIOR = 0.5;

    /** The probability that at least {@code least} of {@code next} hours are loud. */
    double atLeast(int least, int next) {
      double hit = PRIOR + loud;
      double miss = PRIOR + Math.max(0, all - loud);
      double exactly = 1;
      for (int i = 0; i < next; i++) {
        exactly *= (miss + i) / (hit + miss + i);
      }
      double sum = least <= 0 ? exactly : 0;
      for (int i = 0; i < next; i++) {
        exactly *= (next - i) * (hit + i) / ((i + 1) * (miss + next - i - 1));
        sum += i + 1 >= least ? exactly : 0;
      }
      return Math.min(1, sum);
    }
  }
}
