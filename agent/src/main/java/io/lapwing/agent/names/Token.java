package io.lapwing.agent.names;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A token of an expression in PromQL, or in Grafana's templates of it; nothing is an error. */
record Token(Kind kind, String text, int start) {

  enum Kind {
    STRING,
    COMMENT,
    /** Of Grafana: {@code $node}, <code>${node:raw}</code>, {@code [[node:raw]]}. */
    VARIABLE,
    WORD,
    NUMBER,
    SIGN
  }

  private static final Pattern TOKEN =
      Pattern.compile(
          """
          (?<STRING>"(?:[^"\\\\]|\\\\.)*+"|'(?:[^'\\\\]|\\\\.)*+'|`[^`]*+`)\
          |(?<COMMENT>#[^\\n]*+)\
          |(?<VARIABLE>\\$\\{[^}]*+\\}|\\$[A-Za-z_]\\w*+|\\[\\[\\w++(?::\\w++)?+\\]\\])\
          |(?<WORD>[A-Za-z_:][A-Za-z0-9_:]*+)\
          |(?<NUMBER>[0-9.][0-9A-Za-z_.]*+)\
          |(?<SIGN>\\S)""");

  /** All but white space and comments. */
  static List<Token> all(String text) {
    List<Token> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      Kind kind = kind(matcher);
      if (kind != Kind.COMMENT) {
        tokens.add(new Token(kind, matcher.group(), matcher.start()));
      }
    }
    return tokens;
  }

  private static Kind kind(Matcher matcher) {
    for (Kind kind : Kind.values()) {
      if (matcher.group(kind.name()) != null) {
        return kind;
      }
    }
    throw new IllegalStateException("every branch of the pattern has a name");
  }

  int end() {
    return start + text.length();
  }

  boolean is(String sign) {
    return kind != Kind.STRING && text.equals(sign);
  }

  boolean isWord() {
    return kind == Kind.WORD;
  }

  /** The content of a string. */
  String content() {
    return text.substring(1, text.length() - 1);
  }
}
