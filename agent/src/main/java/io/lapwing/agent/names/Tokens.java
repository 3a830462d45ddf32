package io.lapwing.agent.names;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The structure of an expression, as far as a translation needs it; places are token indexes. */
final class Tokens {

  private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "atan2");
  private static final Set<String> MATCHINGS =
      Set.of("on", "ignoring", "group_left", "group_right");
  private static final Set<String> GROUPINGS =
      Set.of("by", "without", "on", "ignoring", "group_left", "group_right");

  private static final String NAME = "__name__";

  private final List<Token> all;

  Tokens(String expression) {
    this.all = Token.all(expression);
  }

  Stream<Token> stream() {
    return all.stream();
  }

  int size() {
    return all.size();
  }

  Token get(int at) {
    return all.get(at);
  }

  boolean is(int at, String sign) {
    return at >= 0 && at < all.size() && all.get(at).is(sign);
  }

  boolean isWord(int at, Set<String> words) {
    return at >= 0 && at < all.size() && all.get(at).isWord() && words.contains(all.get(at).text());
  }

  /** The token after a selector's name and matchers. */
  int afterSelector(int name) {
    return is(name + 1, "{") ? closing(name + 1) + 1 : name + 1;
  }

  /** The token after {@code offset -5m}, {@code @ end()} and the like. */
  int afterModifiers(int at) {
    int next = at;
    while (true) {
      if (!is(next, "offset") && !is(next, "@")) {
        return Math.min(next, all.size());
      }
      int value = is(next + 1, "-") || is(next + 1, "+") ? next + 2 : next + 1;
      boolean call = is(next, "@") && is(value + 1, "(");
      next = call || is(value, "(") ? closing(call ? value + 1 : value) + 1 : value + 1;
    }
  }

  /** Whether a range has a step; the colon in a variable of Grafana is before its format. */
  boolean isSubquery(int bracket) {
    int end = closing(bracket);
    for (int i = bracket; i < end; i++) {
      if (all.get(i).text().contains(":")
          && all.get(i).kind() != Token.Kind.STRING
          && all.get(i).kind() != Token.Kind.VARIABLE) {
        return true;
      }
    }
    return false;
  }

  /** The sign that closes the one here; the last token if none does. */
  int closing(int open) {
    int depth = 0;
    for (int i = open; i < all.size(); i++) {
      depth += depth(all.get(i));
      if (depth == 0) {
        return i;
      }
    }
    return all.size() - 1;
  }

  /** The bracket around a token. */
  Optional<Integer> opening(int at) {
    int depth = 0;
    for (int i = at - 1; i >= 0; i--) {
      depth += depth(all.get(i));
      if (depth > 0) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private static int depth(Token token) {
    if (token.is("(") || token.is("[") || token.is("{")) {
      return 1;
    }
    return token.is(")") || token.is("]") || token.is("}") ? -1 : 0;
  }

  /** Whether a token is in matchers, or in the labels of {@code by} and the like. */
  boolean isLabel(int at) {
    return opening(at)
        .map(open -> is(open, "{") || (is(open, "(") && isWord(open - 1, GROUPINGS)))
        .orElse(false);
  }

  /** Whether it names a label, as a word or as an argument. */
  boolean mentions(String label) {
    return stream()
        .anyMatch(
            token ->
                token.kind() == Token.Kind.STRING
                    ? token.content().equals(label)
                    : token.is(label));
  }

  /**
   * Where the name of a series becomes a label's value, as by {@code label_replace}, or is grouped
   * by; not where it selects series.
   */
  Optional<Token> nameAsLabel() {
    for (int i = 0; i < all.size(); i++) {
      Token token = all.get(i);
      boolean argument = token.kind() == Token.Kind.STRING && token.content().equals(NAME);
      boolean grouped =
          token.is(NAME) && isLabel(i) && opening(i).filter(at -> is(at, "(")).isPresent();
      if (argument || grouped) {
        return Optional.of(token);
      }
    }
    return Optional.empty();
  }

  /** Whether it reads a series whose name does not begin like this. */
  boolean readsOthersThan(String prefix) {
    for (int i = 0; i < all.size(); i++) {
      Token token = all.get(i);
      boolean selector = is(i + 1, "{") || is(i + 1, "[");
      boolean bare = token.text().matches(".*[a-z]_.*|.*:.*") && !is(i + 1, "(") && !is(i - 1, ",");
      if (token.isWord()
          && !token.text().startsWith(prefix)
          && !isLabel(i)
          && !isWord(i, GROUPINGS)
          && (selector || bare)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a parenthesis only groups: it is neither a call nor the argument of an aggregation. */
  boolean isGroup(int open) {
    int before = open - 1;
    if (!is(open, "(") || before < 0) {
      return is(open, "(");
    }
    if (is(before, ")")) {
      return opening(before).filter(labels -> isWord(labels - 1, MATCHINGS)).isPresent();
    }
    return isWord(before, OPERATORS) || all.get(before).kind() == Token.Kind.SIGN;
  }
}
