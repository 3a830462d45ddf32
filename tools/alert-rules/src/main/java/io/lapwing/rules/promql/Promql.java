package io.lapwing.rules.promql;

import io.lapwing.rules.promql.Expr.Grouping;
import io.lapwing.rules.promql.Expr.Matching;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the PromQL of Prometheus 2.42. Types are not checked: {@code rate(1)} is read, and promtool
 * refuses it.
 */
public final class Promql {

  private static final Set<String> AGGREGATIONS =
      Set.of(
          "sum",
          "min",
          "max",
          "avg",
          "group",
          "stddev",
          "stdvar",
          "count",
          "count_values",
          "bottomk",
          "topk",
          "quantile");

  private static final Map<String, Integer> PRECEDENCE =
      Map.ofEntries(
          Map.entry("or", 1),
          Map.entry("and", 2),
          Map.entry("unless", 2),
          Map.entry("==", 3),
          Map.entry("!=", 3),
          Map.entry("<", 3),
          Map.entry(">", 3),
          Map.entry("<=", 3),
          Map.entry(">=", 3),
          Map.entry("+", 4),
          Map.entry("-", 4),
          Map.entry("*", 5),
          Map.entry("/", 5),
          Map.entry("%", 5),
          Map.entry("atan2", 5),
          Map.entry("^", 6));

  /** A sign binds like a product: -2 ^ 2 is -4. */
  private static final int SIGN = 5;

  private static final int POWER = 6;

  /** Limits nesting, so that brackets cannot exhaust the stack. */
  private static final int DEEPEST = 100;

  private final Tokens tokens;
  private final Selectors selectors;
  private int depth;

  private Promql(String query) {
    tokens = new Tokens(query);
    selectors = new Selectors(tokens);
  }

  /**
   * The tree of a query.
   *
   * @throws PromqlException if it is not valid PromQL
   */
  public static Expr parse(String query) {
    Promql parser = new Promql(query);
    Expr expr = parser.binary(1);
    parser.tokens.take(Token.Kind.END);
    return expr;
  }

  /** Like {@code 1h30m}. */
  public static Duration duration(String text) {
    return Tokens.duration(text);
  }

  private Expr binary(int lowest) {
    if (++depth > DEEPEST) {
      throw tokens.wrong("nested too deeply");
    }
    Expr expr = operands(lowest);
    depth--;
    return expr;
  }

  private Expr operands(int lowest) {
    Expr left = unary();
    while (true) {
      Token operator = tokens.peek();
      int precedence =
          operator.kind() == Token.Kind.STRING
              ? 0
              : PRECEDENCE.getOrDefault(operator.text().toLowerCase(Locale.ROOT), 0);
      if (precedence == 0 || precedence < lowest) {
        return left;
      }
      tokens.take();
      boolean bool = tokens.skip("bool");
      Matching matching = matching();
      // Powers group to the right, all others to the left.
      Expr right = binary(precedence == POWER ? POWER : precedence + 1);
      left = new Expr.Binary(operator.text().toLowerCase(Locale.ROOT), bool, matching, left, right);
    }
  }

  private Matching matching() {
    boolean on = tokens.skip("on");
    if (!on && !tokens.skip("ignoring")) {
      return Matching.PLAIN;
    }
    Grouping grouping = new Grouping(on, selectors.labels());
    Matching.Many many =
        tokens.skip("group_left")
            ? Matching.Many.LEFT
            : tokens.skip("group_right") ? Matching.Many.RIGHT : Matching.Many.NEITHER;
    boolean includes = many != Matching.Many.NEITHER && tokens.peek().is("(");
    return new Matching(Optional.of(grouping), many, includes ? selectors.labels() : List.of());
  }

  private Expr unary() {
    Token token = tokens.peek();
    if (token.is("-") || token.is("+")) {
      tokens.take();
      return new Expr.Unary(token.text(), binary(SIGN + 1));
    }
    return postfix(primary());
  }

  private Expr primary() {
    Token token = tokens.peek();
    if (tokens.skip("(")) {
      Expr inner = binary(1);
      tokens.expect(")");
      return inner;
    }
    return switch (token.kind()) {
      case STRING -> new Expr.Text(tokens.string());
      case NUMBER -> new Expr.Literal(number());
      case WORD -> word();
      default -> {
        if (token.is("{")) {
          yield selectors.selector("");
        }
        throw tokens.wrong("'" + token.text() + "' does not start an expression");
      }
    };
  }

  private double number() {
    String text = tokens.peek().text();
    try {
      double number =
          text.toLowerCase(Locale.ROOT).startsWith("0x")
              ? Long.parseLong(text.substring(2), 16)
              : Double.parseDouble(text);
      tokens.take();
      return number;
    } catch (NumberFormatException tooLarge) {
      throw tokens.wrong("a number of more than 64 bits");
    }
  }

  private Expr word() {
    String word = tokens.take().text();
    String lower = word.toLowerCase(Locale.ROOT);
    boolean opens = tokens.peek().is("(");
    boolean groups = tokens.peek().is("by") || tokens.peek().is("without");
    if (AGGREGATIONS.contains(lower) && (opens || groups)) {
      return aggregation(lower);
    }
    if (opens) {
      return new Expr.Call(word, arguments());
    }
    return switch (lower) {
      case "inf" -> new Expr.Literal(Double.POSITIVE_INFINITY);
      case "nan" -> new Expr.Literal(Double.NaN);
      default -> selectors.selector(word);
    };
  }

  private Expr aggregation(String operator) {
    Optional<Grouping> before = grouping();
    List<Expr> arguments = arguments();
    if (arguments.isEmpty()) {
      throw tokens.wrong(operator + " of nothing");
    }
    return new Expr.Aggregation(operator, before.or(this::grouping), arguments);
  }

  private Optional<Grouping> grouping() {
    if (tokens.skip("by")) {
      return Optional.of(new Grouping(true, selectors.labels()));
    }
    return tokens.skip("without")
        ? Optional.of(new Grouping(false, selectors.labels()))
        : Optional.empty();
  }

  private List<Expr> arguments() {
    List<Expr> arguments = new ArrayList<>();
    tokens.expect("(");
    while (!tokens.skip(")")) {
      arguments.add(binary(1));
      if (!tokens.peek().is(")")) {
        tokens.expect(",");
      }
    }
    return arguments;
  }

  private Expr postfix(Expr inner) {
    Expr expr = inner;
    while (true) {
      if (tokens.skip("[")) {
        expr = selectors.window(expr);
      } else if (tokens.skip("offset")) {
        tokens.skip("-");
        tokens.duration();
      } else if (tokens.skip("@")) {
        selectors.time();
      } else {
        return expr;
      }
    }
  }
}
