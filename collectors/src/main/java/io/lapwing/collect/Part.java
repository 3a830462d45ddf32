package io.lapwing.collect;

import io.lapwing.metric.Labels;

/**
 * The part of the node that a source reads, for the health rules.
 *
 * @param kind {@code efa}, {@code lustre}, {@code lnet}
 * @param name within the kind, such as {@code rdmap79s0}; empty for the kind as a whole
 * @param labels the first labels of its series; none for the kind as a whole
 */
public record Part(String kind, String name, Labels labels) {

  /** All parts of a kind together, for values such as their number. */
  public static Part whole(String kind) {
    return new Part(kind, "", Labels.NONE);
  }
}
