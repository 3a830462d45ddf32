package io.lapwing.lustre;

import java.util.HashMap;
import java.util.Map;

/**
 * A counter that sums several mounts or targets. Their counts are kept when they are unmounted,
 * cleared or unreadable: a plain sum would decrease, and Prometheus would take that for a counter
 * reset and count the contributorle sum again.
 */
final class RunningTotal {

  private final Map<String, Double> last = new HashMap<>();
  private double total;

  /**
   * Updates the count of one contributor; a lower count than before is a counter reset.
   *
   * @param late whether its first read failed: its initial count may be old and is not added
   */
  void note(String contributor, double counted, boolean late) {
    Double before = last.put(contributor, counted);
    if (before == null) {
      total += late ? 0 : counted;
    } else {
      total += counted >= before ? counted - before : counted;
    }
  }

  /** Forgets a contributor that will not come back, but keeps its count in the total. */
  void forget(String contributor) {
    last.remove(contributor);
  }

  double value() {
    return total;
  }
}
