package io.lapwing.rules.promql;

import io.lapwing.rules.promql.Expr.Matcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses selectors, label lists, and range and offset modifiers. */
final class Selectors {

  private final Tokens tokens;

  Selectors(Tokens tokens) {
    this.tokens = tokens;
  }

  List<String> labels() {
    List<String> labels = new ArrayList<>();
    tokens.expect("(");
    while (!tokens.skip(")")) {
      labels.add(tokens.take(Token.Kind.WORD).text());
      if (!tokens.peek().is(")")) {
        tokens.expect(",");
      }
    }
    return labels;
  }

  Expr.Selector selector(String metric) {
    String name = metric;
    List<Matcher> matchers = new ArrayList<>();
    if (tokens.skip("{")) {
      while (!tokens.skip("}")) {
        Matcher matcher = matcher();
        if (matcher.label().equals("__name__") && matcher.operator().equals("=")) {
          name = matcher.value();
        } else {
          matchers.add(matcher);
        }
        if (!tokens.peek().is("}")) {
          tokens.expect(",");
        }
      }
    }
    return new Expr.Selector(name, matchers, Optional.empty());
  }

  private Matcher matcher() {
    String label = tokens.take(Token.Kind.WORD).text();
    String operator = tokens.take(Token.Kind.SIGN).text();
    if (!Set.of("=", "!=", "=~", "!~").contains(operator)) {
      throw tokens.wrong("'" + operator + "' is not a label matcher");
    }
    return new Matcher(label, operator, tokens.string());
  }

  Expr window(Expr expr) {
    Duration range = tokens.duration();
    if (tokens.skip(":")) {
      boolean steps = tokens.peek().kind() == Token.Kind.DURATION;
      Optional<Duration> step = steps ? Optional.of(tokens.duration()) : Optional.empty();
      tokens.expect("]");
      return new Expr.Subquery(expr, range, step);
    }
    tokens.expect("]");
    if (expr instanceof Expr.Selector selector && selector.range().isEmpty()) {
      return new Expr.Selector(selector.metric(), selector.matchers(), Optional.of(range));
    }
    throw tokens.wrong("a range on something other than a selector");
  }

  void time() {
    if (tokens.skip("start") || tokens.skip("end")) {
      tokens.expect("(");
      tokens.expect(")");
    } else {
      tokens.skip("-");
      tokens.take(Token.Kind.NUMBER);
    }
  }
}
