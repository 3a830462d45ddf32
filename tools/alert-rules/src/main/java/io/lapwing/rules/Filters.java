package io.lapwing.rules;

import io.lapwing.rules.promql.Expr;
import java.util.Set;
import java.util.stream.Stream;

/** What a query lets through. */
final class Filters {

  private static final Set<String> ABSENT = Set.of("absent", "absent_over_time");

  private Filters() {}

  /** Whether the query has a result only where something holds, as each alert must. */
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

  /** The selectors whose series make the result, without those that only hold others back. */
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
