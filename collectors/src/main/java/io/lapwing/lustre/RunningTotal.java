package io.lapwing.lustre;

import java.util.HashMap;
import java.util.Map;

/**
 * A counter that several mounts or targets add to. What one of them counted stays counted when it
 * is unmounted, cleared or cannot be read: a plain sum would fall, and Prometheus would take the
 * fall for a restart and count the whole sum once more.
 */
final class RunningTotal {

  private final Map<String, Double> last = new HashMap<>();
  private double total;

  /**
   * Takes up to what one of them has counted; less than before means that it began anew.
   *
   * @param late whether it could not be read when it was first asked: then nobody knows how much of
   *     what it shows is new, and all of it is taken for old
   */
  void note(String who, double counted, boolean late) {
    Double before = last.put(who, counted);
    if (before == null) {
      total += late ? 0 : counted;
    } else {
      total += counted >= before ? counted - before : counted;
    }
  }

  /** Keeps what one has counted, and itself no longer: it will not come back. */
  void forget(String who) {
    last.remove(who);
  }

  double value() {
    return total;
  }
}
