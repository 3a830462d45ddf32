package io.lapwing.rules.promql;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A position in the tokens of a query. */
final class Tokens {

  private static final Pattern PART = Pattern.compile("([0-9]+)(ms|[smhdwy])");

  /** Milliseconds; longer than any Prometheus retention. */
  private static final int MOST_DIGITS = 11;

  private static final Map<String, Duration> UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1),
          "w", Duration.ofDays(7),
          "y", Duration.ofDays(365));

  private final String query;
  private final List<Token> tokens;
  private int next;

  Tokens(String query) {
    this.query = query;
    this.tokens = Token.all(query);
  }

  Token peek() {
    return tokens.get(next);
  }

  Token take() {
    Token token = tokens.get(next);
    next = Math.min(next + 1, tokens.size() - 1);
    return token;
  }

  Token take(Token.Kind kind) {
    Token token = peek();
    if (token.kind() != kind) {
      throw wrong("expected a " + kind + " and found '" + token.text() + "'");
    }
    return take();
  }

  boolean skip(String text) {
    boolean there = peek().is(text);
    if (there) {
      take();
    }
    return there;
  }

  void expect(String text) {
    if (!skip(text)) {
      throw wrong("expected '" + text + "' and found '" + peek().text() + "'");
    }
  }

  PromqlException wrong(String what) {
    return new PromqlException(query, peek().at(), what);
  }

  Duration duration() {
    return duration(take(Token.Kind.DURATION).text());
  }

  static Duration duration(String text) {
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    while (part.find()) {
      Duration unit = UNITS.getOrDefault(part.group(2), Duration.ZERO);
      sum = sum.plus(many(unit, part.group(1), text));
    }
    return sum;
  }

  private static Duration many(Duration unit, String count, String text) {
    if (count.length() > MOST_DIGITS) {
      throw new PromqlException(text, 0, "duration too long");
    }
    return unit.multipliedBy(Long.parseLong(count));
  }

  String string() {
    String quoted = take(Token.Kind.STRING).text();
    String inner = quoted.substring(1, quoted.length() - 1);
    return quoted.startsWith("`") ? inner : unescaped(inner);
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char sign = text.charAt(at);
      if (sign == '\\') {
        at++;
        char escaped = text.charAt(at);
        plain.append(
            switch (escaped) {
              case 'n' -> '\n';
              case 't' -> '\t';
              default -> escaped;
            });
      } else {
        plain.append(sign);
      }
    }
    return plain.toString();
  }
}
