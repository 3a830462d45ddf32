package io.lapwing.agent.health.rules.gpu;

/** Made-up nodes: what corrected errors may look like, by seed. Rates are errors an hour. */
final class SbeNodes {

  /** GPUs that degrade are as the others for so many days. */
  static final int QUIET_DAYS = 7;

  static final int START = QUIET_DAYS * ErrorTape.PER_DAY;

  private static final double STRAYS = 0.1 / 24;

  private SbeNodes() {}

  /** Single errors, by chance. */
  static ErrorTape strays(int gpus, int days, double rate, long seed) {
    Dice dice = new Dice(seed);
    ErrorTape tape = new ErrorTape(gpus, days);
    for (int gpu = 0; gpu < gpus; gpu++) {
      tape.poisson(dice, gpu, day -> rate);
    }
    return tape;
  }

  /** A steady rate whose hours are gamma distributed; GPU 0 has its own. */
  static ErrorTape noisy(int gpus, double first, double others, double shape, long seed) {
    Dice dice = new Dice(seed);
    ErrorTape tape = new ErrorTape(gpus, 30);
    for (int gpu = 0; gpu < gpus; gpu++) {
      double rate = gpu == 0 ? first : others;
      tape.wild(dice, gpu, day -> rate, shape);
    }
    return tape;
  }

  /**
   * All rise and fall with the same day, 55-fold; one GPU is up to four times as noisy as another.
   */
  static ErrorTape waves(int gpus, long seed) {
    Dice dice = new Dice(seed);
    ErrorTape tape = new ErrorTape(gpus, 30);
    for (int gpu = 0; gpu < gpus; gpu++) {
      double peak = 20 * dice.anySize(0.5, 2);
      tape.wild(dice, gpu, day -> peak * Math.exp(2 * Math.sin(2 * Math.PI * day) - 2), 2);
    }
    return tape;
  }

  /** Bursts of 10 to 10,000 within ten minutes. */
  static ErrorTape bursts(int gpus, double daysBetween, long seed) {
    Dice dice = new Dice(seed);
    ErrorTape tape = strays(gpus, 30, STRAYS, dice.seed());
    for (int gpu = 0; gpu < gpus; gpu++) {
      tape.bursts(dice, gpu, daysBetween);
    }
    return tape;
  }

  /** For one to so many hours work touches a weak row: 2 to 200 an hour. One in ten days. */
  static ErrorTape episodes(double most, long seed) {
    Dice dice = new Dice(seed);
    ErrorTape tape = strays(8, 30, STRAYS, dice.seed());
    for (int gpu = 0; gpu < 8; gpu++) {
      tape.episodes(dice, gpu, 10, most);
    }
    return tape;
  }

  /** GPU 0 doubles its rate every so many hours. */
  static ErrorTape doubling(int gpus, double hours, long seed) {
    return degrading(
        gpus,
        QUIET_DAYS + (int) hours,
        day -> 0.02 * Math.pow(2, Math.min(20, day * 24 / hours)),
        seed);
  }

  /** GPU 0 has so many more an hour every day. */
  static ErrorTape linear(double perDay, long seed) {
    return degrading(8, QUIET_DAYS + 40, day -> day * perDay, seed);
  }

  /** GPU 0 has another rate from one moment on. */
  static ErrorTape step(double rate, long seed) {
    return degrading(8, QUIET_DAYS + 40, day -> rate, seed);
  }

  /** Hours are exponentially distributed about the rate. */
  private static ErrorTape degrading(int gpus, int days, ErrorTape.Rate rate, long seed) {
    Dice dice = new Dice(seed);
    return strays(gpus, days, STRAYS, dice.seed())
        .wild(dice, 0, day -> day < QUIET_DAYS ? 0 : rate.at(day - QUIET_DAYS), 1);
  }
}
