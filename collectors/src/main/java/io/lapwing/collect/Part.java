package io.lapwing.collect;

import io.lapwing.metric.Labels;

/**
 * The part of the node that a source reads, for who judges it.
 *
 * @param kind what it is a part of: {@code efa}, {@code lustre}, {@code lnet}
 * @param name of this one among its kind, such as {@code rdmap79s0}; empty for the kind as a whole
 * @param labels what its own series carry first; none for the kind as a whole
 */
public record Part(String kind, String name, Labels labels) {

  /** What is known of all parts of a kind together, such as how many there are. */
  public static Part whole(String kind) {
    return new Part(kind, "", Labels.NONE);
  }
}
