package io.lapwing.rules.promql;

import java.util.List;

/**
 * The labels that an aggregation keeps or leaves out, or that a binary operation looks at.
 *
 * @param only whether the labels are the ones that stay ({@code by}, {@code on}) or the ones that
 *     go ({@code without}, {@code ignoring})
 */
public record Grouping(boolean only, List<String> labels) {

  public Grouping {
    labels = List.copyOf(labels);
  }
}
