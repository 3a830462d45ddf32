package io.lapwing.rules.promql;

import java.util.List;
import java.util.Optional;

/**
 * Vector matching of a binary operation.
 *
 * @param on empty if not given
 * @param many which side may have several series for one of the other
 * @param include labels that {@code group_left} or {@code group_right} takes from the one side
 */
public record Matching(Optional<Grouping> on, Many many, List<String> include) {

  /** The side with several series. */
  public enum Many {
    NEITHER,
    LEFT,
    RIGHT
  }

  /** No modifiers. */
  public static final Matching PLAIN = new Matching(Optional.empty(), Many.NEITHER, List.of());

  public Matching {
    include = List.copyOf(include);
  }
}
