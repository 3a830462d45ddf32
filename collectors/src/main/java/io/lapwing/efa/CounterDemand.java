package io.lapwing.efa;

import io.lapwing.metric.Metric;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Which counters are read in each round: a node has a thousand files of them, and the usual scrape
 * response and the health rules need less than half. The others are read in every {@link #ROUNDS}th
 * round.
 *
 * @param always the counters that are read in each round
 * @param everything whether all are, since a client requests them; may change at any time
 */
public record CounterDemand(Predicate<Metric> always, BooleanSupplier everything) {

  /** About a minute with a scrape each 15 s. */
  static final int ROUNDS = 4;

  /** All counters in each round. */
  public static CounterDemand all() {
    return new CounterDemand(metric -> true, () -> true);
  }
}
