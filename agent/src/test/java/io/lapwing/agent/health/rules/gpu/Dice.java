package io.lapwing.agent.health.rules.gpu;

import java.util.SplittableRandom;

/** Random numbers of a seed, with the distributions that error counts need. */
final class Dice {

  private final SplittableRandom random;

  Dice(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A seed for another. */
  long seed() {
    return random.nextLong();
  }

  double uniform() {
    return random.nextDouble();
  }

  double between(double least, double most) {
    return least + (most - least) * random.nextDouble();
  }

  /** Evenly on a logarithmic scale. */
  double anySize(double least, double most) {
    return least * Math.pow(most / least, random.nextDouble());
  }

  double exponential(double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }

  int poisson(double mean) {
    if (mean <= 0) {
      return 0;
    }
    if (mean > 50) {
      return (int) Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    double limit = Math.exp(-mean);
    double product = random.nextDouble();
    int count = 0;
    while (product > limit) {
      product *= random.nextDouble();
      count++;
    }
    return count;
  }

  /** Mean 1; the smaller the shape, the wilder. Marsaglia and Tsang's method. */
  double gamma(double shape) {
    if (shape < 1) {
      double more = gamma(shape + 1) * (shape + 1);
      return more * Math.pow(1 - random.nextDouble(), 1 / shape) / shape;
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double v = Math.pow(1 + c * x, 3);
      if (v > 0 && Math.log(1 - random.nextDouble()) < 0.5 * x * x + d * (1 - v + Math.log(v))) {
        return d * v / shape;
      }
    }
  }
}
