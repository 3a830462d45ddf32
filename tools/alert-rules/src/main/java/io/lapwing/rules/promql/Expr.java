package io.lapwing.rules.promql;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A node of the syntax tree of a query. Parentheses are part of the structure. */
public sealed interface Expr {

  /** The operators that compare. */
  Set<String> COMPARISONS = Set.of("==", "!=", "<", ">", "<=", ">=");

  /** The children, in the order of the text. */
  List<Expr> children();

  /** This node and all descendants, in preorder. */
  default Stream<Expr> nodes() {
    return Stream.concat(Stream.of(this), children().stream().flatMap(Expr::nodes));
  }

  /** Every selector of series in the query. */
  default Stream<Selector> selectors() {
    return nodes().filter(Selector.class::isInstance).map(Selector.class::cast);
  }

  /**
   * Series by name and labels.
   *
   * @param metric the name, also if given as {@code __name__="..."}; empty if not given
   * @param range the window of a range selector
   */
  record Selector(String metric, List<Matcher> matchers, Optional<Duration> range) implements Expr {

    public Selector {
      matchers = List.copyOf(matchers);
    }

    @Override
    public List<Expr> children() {
      return List.of();
    }
  }

  /** {@code inner[range:step]}. */
  record Subquery(Expr inner, Duration range, Optional<Duration> step) implements Expr {

    @Override
    public List<Expr> children() {
      return List.of(inner);
    }
  }

  /** A function, {@code rate(...)}. */
  record Call(String function, List<Expr> arguments) implements Expr {

    public Call {
      arguments = List.copyOf(arguments);
    }

    @Override
    public List<Expr> children() {
      return arguments;
    }
  }

  /** {@code sum by (...) (...)}; a parameter such as topk's precedes the operand. */
  record Aggregation(String operator, Optional<Grouping> grouping, List<Expr> arguments)
      implements Expr {

    public Aggregation {
      arguments = List.copyOf(arguments);
    }

    public Expr operand() {
      return arguments.get(arguments.size() - 1);
    }

    @Override
    public List<Expr> children() {
      return arguments;
    }
  }

  /** A binary operation. */
  record Binary(String operator, boolean bool, Matching matching, Expr left, Expr right)
      implements Expr {

    public boolean compares() {
      return COMPARISONS.contains(operator);
    }

    @Override
    public List<Expr> children() {
      return List.of(left, right);
    }
  }

  /** A sign. */
  record Unary(String operator, Expr operand) implements Expr {

    @Override
    public List<Expr> children() {
      return List.of(operand);
    }
  }

  /** A number. */
  record Literal(double value) implements Expr {

    @Override
    public List<Expr> children() {
      return List.of();
    }
  }

  /** A string, unquoted. */
  record Text(String value) implements Expr {

    @Override
    public List<Expr> children() {
      return List.of();
    }
  }
}
