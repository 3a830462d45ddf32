package io.lapwing.collect;

import io.lapwing.metric.Labels;

/**
 * The part of the node that a source reads: {@code efa} or {@code lnet} as a whole (no name, no
 * labels), or one device of them ({@code rdmap79s0}) with the first labels of its series.
 */
public record Part(String kind, String name, Labels labels) {

  /** All parts of a kind together, for values such as their number. */
  public static Part whole(String kind) {
    return new Part(kind, "", Labels.NONE);
  }
}
