package io.lapwing.bench.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A quantity that has to stay flat.
 *
 * @param unit empty for counts
 * @param tolerance the increase that still counts as flat
 */
record Figure(String label, String unit, double tolerance, ToDoubleFunction<Vitals> value) {

  /** Heap samples vary with the time since the last collection. */
  static final List<Figure> ALL =
      List.of(
          new Figure("RSS", "KiB", 1536, Vitals::rssKib),
          new Figure("of it anonymous", "KiB", 1024, Vitals::anonymousKib),
          new Figure("threads", "", 1, Vitals::threads),
          new Figure("descriptors", "", 2, Vitals::descriptors),
          new Figure("heap in use", "KiB", 1024, Vitals::heapKib));

  /**
   * Evaluates a whole soak.
   *
   * @param passSeconds duration of a pass; the first is discarded
   */
  Flatness over(List<Vitals> samples, double passSeconds) {
    List<double[]> passes = new ArrayList<>();
    for (int pass = 1; pass < SoakOptions.PASSES; pass++) {
      double from = pass * passSeconds;
      passes.add(
          samples.stream()
              .filter(v -> v.seconds() >= from && v.seconds() < from + passSeconds)
              .mapToDouble(value)
              .toArray());
    }
    return Flatness.of(passes, tolerance);
  }
}
