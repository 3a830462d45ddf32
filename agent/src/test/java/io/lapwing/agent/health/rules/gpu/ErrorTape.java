package io.lapwing.agent.health.rules.gpu;

/** How many corrected errors each GPU of a made-up node has in each step of five minutes. */
final class ErrorTape {

  static final int PER_HOUR = 12;
  static final int PER_DAY = 24 * PER_HOUR;

  private final int[][] errors;

  ErrorTape(int gpus, int days) {
    errors = new int[gpus][days * PER_DAY];
  }

  int gpus() {
    return errors.length;
  }

  int steps() {
    return errors[0].length;
  }

  int at(int gpu, int step) {
    return errors[gpu][step];
  }

  /** Errors an hour at a moment. */
  interface Rate {
    double at(double day);
  }

  /** Errors that know nothing of each other. */
  ErrorTape poisson(Dice dice, int gpu, Rate rate) {
    for (int step = 0; step < steps(); step++) {
      errors[gpu][step] += dice.poisson(rate.at((double) step / PER_DAY) / PER_HOUR);
    }
    return this;
  }

  /** The same, with hours that are wilder than chance: each hour's rate is drawn about the rate. */
  ErrorTape wild(Dice dice, int gpu, Rate rate, double shape) {
    double luck = 1;
    for (int step = 0; step < steps(); step++) {
      luck = step % PER_HOUR == 0 ? dice.gamma(shape) : luck;
      errors[gpu][step] += dice.poisson(luck * rate.at((double) step / PER_DAY) / PER_HOUR);
    }
    return this;
  }

  /** Bursts of 10 to 10,000 errors within ten minutes, now and then. */
  ErrorTape bursts(Dice dice, int gpu, double daysBetween) {
    for (double day = dice.exponential(daysBetween);
        day * PER_DAY + 2 < steps();
        day += dice.exponential(daysBetween)) {
      int size = (int) dice.anySize(10, 10_000);
      int first = (int) (size * dice.uniform());
      errors[gpu][(int) (day * PER_DAY)] += first;
      errors[gpu][(int) (day * PER_DAY) + 1] += size - first;
    }
    return this;
  }

  /** Work that touches a weak row for some hours, now and then. */
  ErrorTape episodes(Dice dice, int gpu, double daysBetween, double most) {
    for (double day = dice.exponential(daysBetween);
        day * PER_DAY < steps();
        day += dice.exponential(daysBetween)) {
      double rate = dice.anySize(2, 200) / PER_HOUR;
      double end = day + dice.between(1, most) / 24;
      for (int step = (int) (day * PER_DAY); step < Math.min(steps(), end * PER_DAY); step++) {
        errors[gpu][step] += dice.poisson(rate);
      }
    }
    return this;
  }

  /** The increase of a GPU's counter over the last steps. */
  long increase(int gpu, int step, int window) {
    long sum = 0;
    for (int i = Math.max(0, step - window + 1); i <= step; i++) {
      sum += errors[gpu][i];
    }
    return sum;
  }
}
