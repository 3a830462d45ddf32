package io.lapwing.bench.soak;

import io.lapwing.bench.Medians;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whether a figure stayed as it was, told in two ways that a few odd samples cannot turn.
 *
 * <p>The node does the same in every pass, so the medians of the first and the last of them can be
 * compared. And a sample can be compared with that of the same moment of the pass before: the
 * median of all these differences is the slope (the estimator of Theil and Sen, by season, as
 * Hirsch and Slack do it for rivers), which a node that breaks and heals does not blur.
 *
 * @param first the median of the first pass
 * @param last the median of the last pass
 * @param perPass the slope, in the figure's unit
 * @param passes how many were compared
 * @param tolerance how much more at the end than at the beginning is still flat
 */
record Flatness(double first, double last, double perPass, int passes, double tolerance) {

  /**
   * Compares passes.
   *
   * @param passes the samples of each, at the same moments
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

  /** What the slope makes of all the passes. */
  double slopeGrown() {
    return perPass * (passes - 1);
  }

  /** What becomes less is no leak. */
  boolean flat() {
    return grown() <= tolerance && slopeGrown() <= tolerance;
  }
}
