package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.RulePolicy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Looks for an acceleration in one GPU's errors within one window.
 *
 * <p>Hours are compared, not counts: corrected errors come in bursts of any size, but a burst is
 * one hour. For each number k of hours, the k-th loudest hour of the window is the level that was
 * held k times. Had nothing changed, how likely were k such hours, where an hour of the past is
 * like them once it reached the level's part given by {@code own_factor}?
 *
 * @param window hours that are new
 * @param past how many hours ago the past ends
 */
record AccelerationSearch(int window, int past) {

  /** Fast: from hours to a day for the rate to double. The past is all before the window. */
  static final AccelerationSearch HOURS = new AccelerationSearch(6, 6);

  /**
   * Slow: a day and more for the rate to double. The days in between belong to the growth itself
   * and are left out.
   */
  static final AccelerationSearch DAYS = new AccelerationSearch(24, 72);

  /**
   * The most unlikely one, where it is unlikely enough.
   *
   * @param watched for how many hours the GPU has been
   * @param siblings errors an hour of the median sibling within the window
   */
  Optional<Acceleration> in(
      ErrorHours errors, double watched, Supplier<OptionalDouble> siblings, RulePolicy policy) {
    double start = Math.min(watched, 24 * policy.threshold(SbeAcceleration.BASELINE));
    if (start - past < policy.threshold(SbeAcceleration.WATCHED)) {
      return Optional.empty();
    }
    List<ErrorHour> loudest = loudest(errors.between(window, 0));
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
    List<ErrorHour> before = errors.between(start, past);
    for (int k = least; k <= window && held(loudest, k) >= floor; k++) {
      Acceleration found =
          compared(errors, before, start - past, k, held(loudest, k), median, policy);
      if (best.isEmpty() || found.chance() < best.get().chance()) {
        best = Optional.of(found);
      }
    }
    return best.filter(found -> found.chance() <= policy.threshold(SbeAcceleration.CHANCE));
  }

  /** Errors an hour within the window. */
  double mean(ErrorHours errors) {
    return errors.between(window, 0).stream().mapToDouble(ErrorHour::errors).sum() / window;
  }

  /** Errors an hour that so many hours had at least. */
  private static double held(List<ErrorHour> loudest, int hours) {
    return hours > loudest.size() ? 0 : loudest.get(hours - 1).rate();
  }

  private static List<ErrorHour> loudest(List<ErrorHour> hours) {
    hours.sort(Comparator.comparingDouble(ErrorHour::rate).reversed());
    return hours;
  }

  private Acceleration compared(
      ErrorHours errors,
      List<ErrorHour> before,
      double watched,
      int hours,
      double level,
      OptionalDouble siblings,
      RulePolicy policy) {
    double near = level / policy.threshold(SbeAcceleration.OWN);
    double loud = 0;
    double others = 0;
    for (ErrorHour hour : before) {
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
}
