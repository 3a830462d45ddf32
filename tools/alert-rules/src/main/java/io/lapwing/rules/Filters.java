package io.lapwing.rules;

import io.lapwing.rules.promql.Expr;
import java.util.Set;
import java.util.stream.Stream;

/** The selectors and conditions that determine a query's result. */
final class Filters {

  private static final Set<String> ABSENT = Set.of("absent", "absent_over_time");

  private Filters() {}

  /** Whether the query filters by a condition, as each alert must. */
  static boolean filters(Expr expr) {
    if (expr instanceof Expr.Binary binary) {
      return binary.operator().equals("unless")
          || (binary.operator().equals("or")
              ? filters(binary.left()) && filters(binary.right())
              : (binary.compares() && !binary.bool())
                  || filters(binary.left())
                  || filters(binary.right()));
    }
    if (expr instanceof Expr.Call call && ABSENT.contains(call.function())) {
      return true;
    }
    return expr.children().stream().anyMatch(Filters::filters);
  }

  /** The selectors of the result's series, without those that only filter. */
  static Stream<Expr.Selector> makers(Expr expr) {
    if (expr instanceof Expr.Selector selector) {
      return Stream.of(selector);
    }
    if (expr instanceof Expr.Binary binary
        && (binary.operator().equals("unless") || binary.operator().equals("and"))) {
      return makers(binary.left());
    }
    return expr.children().stream().flatMap(Filters::makers);
  }
}
