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

  /**
   * A label matcher.
   *
   * @param operator {@code =}, {@code !=}, {@code =~} or {@code !~}
   * @param value unquoted
   */
  record Matcher(String label, String operator, String value) {

    public boolean isRegex() {
      return operator.endsWith("~");
    }
  }

  /**
   * The labels that an aggregation keeps or leaves out, or that a binary operation matches.
   *
   * @param only whether the labels are the ones that stay ({@code by}, {@code on}) or the ones that
   *     go ({@code without}, {@code ignoring})
   */
  record Grouping(boolean only, List<String> labels) {

    public Grouping {
      labels = List.copyOf(labels);
    }
  }

  /**
   * Vector matching of a binary operation.
   *
   * @param on empty if not given
   * @param many which side may have several series for one of the other
   * @param include labels that {@code group_left} or {@code group_right} takes from the one side
   */
  record Matching(Optional<Grouping> on, Many many, List<String> include) {

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
}
