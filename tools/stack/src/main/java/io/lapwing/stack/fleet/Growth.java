package io.lapwing.stack.fleet;

import java.util.Map;
import java.util.TreeMap;

/** The exponent by which a figure increases with the number of nodes. */
final class Growth {

  private Growth() {}

  /**
   * The slope of a straight line through the points on logarithmic scales: 1 is linear, 2 is
   * square. NaN with fewer than two positive points.
   *
   * @param byNodes the figure by the number of nodes
   */
  static double exponent(Map<Integer, Double> byNodes) {
    Map<Double, Double> logs = new TreeMap<>();
    byNodes.forEach(
        (nodes, figure) -> {
          if (figure > 0) {
            logs.put(Math.log(nodes), Math.log(figure));
          }
        });
    double meanX = logs.keySet().stream().mapToDouble(x -> x).average().orElse(Double.NaN);
    double meanY = logs.values().stream().mapToDouble(y -> y).average().orElse(Double.NaN);
    double above = 0;
    double below = 0;
    for (Map.Entry<Double, Double> log : logs.entrySet()) {
      above += (log.getKey() - meanX) * (log.getValue() - meanY);
      below += (log.getKey() - meanX) * (log.getKey() - meanX);
    }
    return below == 0 ? Double.NaN : above / below;
  }
}
