package io.lapwing.bench;

import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** One quantity on both sides: the medians, and the ratio of each round. */
record Comparison(double agent, double peer, List<Double> ratios) {

  static <T> Comparison of(List<T> agent, List<T> peer, ToDoubleFunction<T> quantity) {
    return new Comparison(
        Medians.median(agent.stream().map(quantity::applyAsDouble).toList()),
        Medians.median(peer.stream().map(quantity::applyAsDouble).toList()),
        Medians.pairwise(
            agent, peer, (a, p) -> quantity.applyAsDouble(a) / quantity.applyAsDouble(p)));
  }

  /** Compares single measurements. */
  static Comparison ofOne(double agent, double peer) {
    return new Comparison(agent, peer, List.of(agent / peer));
  }

  double ratio() {
    return Medians.median(ratios);
  }

  double lowest() {
    return Collections.min(ratios);
  }

  double highest() {
    return Collections.max(ratios);
  }
}
