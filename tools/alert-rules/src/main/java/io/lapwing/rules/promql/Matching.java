package io.lapwing.rules.promql;

import java.util.List;
import java.util.Optional;

/**
 * How the series of two sides find each other.
 *
 * @param on empty where nothing is written
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

  /** Nothing written. */
  public static final Matching PLAIN = new Matching(Optional.empty(), Many.NEITHER, List.of());

  public Matching {
    include = List.copyOf(include);
  }
}
