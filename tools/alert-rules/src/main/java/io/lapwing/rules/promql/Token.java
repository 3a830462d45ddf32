package io.lapwing.rules.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A token of a query: word, number, string or operator.
 *
 * @param at start position, from 0
 */
record Token(Kind kind, String text, int at) {

  enum Kind {
    STRING,
    DURATION,
    NUMBER,
    WORD,
    SIGN,
    END
  }

  // Possessive quantifiers: backtracking would recurse, and a long string would exhaust the stack.
  private static final Pattern SKIPPED = Pattern.compile("(?:\\s|#[^\n]*)++");

  private static final Pattern TOKEN =
      Pattern.compile(
          """
          (?<STRING>"(?:[^"\\\\]|\\\\.)*+"|'(?:[^'\\\\]|\\\\.)*+'|`[^`]*`)\
          |(?<DURATION>(?:[0-9]+(?:ms|[smhdwy]))++(?![A-Za-z0-9_]))\
          |(?<NUMBER>0[xX][0-9a-fA-F]+|(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\
          |(?<WORD>[A-Za-z_][A-Za-z0-9_:]*)\
          |(?<SIGN>=~|!~|!=|==|<=|>=|[-+*/%^<>=(){}\\[\\],:@])""");

  static List<Token> all(String query) {
    List<Token> tokens = new ArrayList<>();
    Matcher skipped = SKIPPED.matcher(query);
    Matcher matcher = TOKEN.matcher(query);
    int at = 0;
    while (true) {
      if (skipped.region(at, query.length()).lookingAt()) {
        at = skipped.end();
      }
      if (at == query.length()) {
        tokens.add(new Token(Kind.END, "", at));
        return List.copyOf(tokens);
      }
      if (!matcher.region(at, query.length()).lookingAt()) {
        throw new PromqlException(query, at, "'" + query.charAt(at) + "' does not start a token");
      }
      tokens.add(new Token(kind(matcher), matcher.group(), at));
      at = matcher.end();
    }
  }

  private static Kind kind(Matcher matcher) {
    for (Kind kind : Kind.values()) {
      if (kind != Kind.END && matcher.group(kind.name()) != null) {
        return kind;
      }
    }
    throw new IllegalStateException("every branch of the pattern has a name");
  }

  boolean is(String sign) {
    return kind != Kind.STRING && text.equals(sign);
  }
}
