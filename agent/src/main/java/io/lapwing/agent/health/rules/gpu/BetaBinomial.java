package io.lapwing.agent.health.rules.gpu;

/**
 * Predicts how many of the next hours are loud from the share that was loud so far. An hour is loud
 * or not; the rate is unknown, with Jeffreys' prior Beta(1/2, 1/2).
 *
 * @param loud past hours that were loud; may be a fraction
 * @param all past hours
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
