package io.lapwing.bench.soak;

import io.lapwing.bench.Medians;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whether a quantity stayed flat, by two methods that are robust against outliers.
 *
 * <p>Every pass is the same, so the medians of the first and last pass can be compared. Also, each
 * sample can be compared with the sample at the same time of the previous pass; the median of these
 * differences is the slope (the seasonal Theil-Sen estimator of Hirsch and Slack), which faults do
 * not distort.
 *
 * @param first the median of the first pass
 * @param last the median of the last pass
 * @param perPass the slope, in the figure's unit
 * @param passes number of compared passes
 * @param tolerance the increase that still counts as flat
 */
record Flatness(double first, double last, double perPass, int passes, double tolerance) {

  /**
   * Compares passes.
   *
   * @param passes samples by pass, at the same times
   */
  static Flatness of(List<double[]> passes, double tolerance) {
    List<Double> slopes = new ArrayList<>();
    for (int early = 0; early < passes.size(); early++) {
      for (int late = early + 1; late < passes.size(); late++) {
        int moments = Math.min(passes.get(early).length, passes.get(late).length);
        for (int moment = 0; moment < moments; moment++) {
          double more = passes.get(late)[moment] - passes.get(early)[moment];
          slopes.add(more / (late - early));
        }
      }
    }
    return new Flatness(
        median(passes.get(0)),
        median(passes.get(passes.size() - 1)),
        Medians.median(slopes),
        passes.size(),
        tolerance);
  }

  private static double median(double[] pass) {
    return Medians.median(Arrays.stream(pass).boxed().toList());
  }

  double grown() {
    return last - first;
  }

  /** The increase over all passes by the slope. */
  double slopeGrown() {
    return perPass * (passes - 1);
  }

  /** A decrease is not a leak. */
  boolean flat() {
    return grown() <= tolerance && slopeGrown() <= tolerance;
  }
}
