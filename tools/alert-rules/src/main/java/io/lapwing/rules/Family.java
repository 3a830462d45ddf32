package io.lapwing.rules;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Type and labels of the series of one name.
 *
 * @param name as written in a query: of a histogram {@code x_bucket}, {@code x_count} and {@code
 *     x_sum} are three
 * @param counter whether it only increases, except for resets
 * @param labels what its series may carry, the target's labels too where a target has it
 */
public record Family(String name, boolean counter, Set<String> labels) {

  public Family {
    labels = Set.copyOf(labels);
  }

  /** As this, but with more labels. */
  public Family with(Set<String> more) {
    Set<String> all = new LinkedHashSet<>(labels);
    all.addAll(more);
    return new Family(name, counter, all);
  }
}
