package io.lapwing.agent.names;

import java.util.HexFormat;

/** A part of a file, without the escapes of its quotes. */
final class Passage {

  private final Kind kind;
  private final String text;

  /** The place in the file of each character, and of the end. */
  private final int[] places;

  private Passage(Kind kind, String text, int[] places) {
    this.kind = kind;
    this.text = text;
    this.places = places;
  }

  enum Kind {
    EXPRESSION,
    /** Patterns of names, which have no values. */
    PATTERN,
    /** May be the name of a label, or a list of such or of families. */
    LABEL,
    /** Anything else that may name a series. */
    OTHER
  }

  /** A part of a file without escapes. */
  static Passage plain(Kind kind, String file, int from, int to) {
    int[] places = new int[to - from + 1];
    for (int i = 0; i < places.length; i++) {
      places[i] = from + i;
    }
    return new Passage(kind, file.substring(from, to), places);
  }

  /**
   * The content of a string in quotes: with backslashes in double quotes, and with doubled quotes
   * in single ones, as YAML has them.
   */
  static Passage quoted(Kind kind, String file, int from, int to) {
    boolean single = file.charAt(from) == '\'';
    StringBuilder text = new StringBuilder();
    int[] places = new int[to - from];
    int at = from + 1;
    while (at < to - 1) {
      places[text.length()] = at;
      char sign = file.charAt(at);
      boolean escape = sign == (single ? '\'' : '\\') && at + 1 < to - 1;
      boolean number = escape && !single && isCodePoint(file, at + 1, to - 1);
      if (number) {
        text.append((char) Integer.parseInt(file, at + 2, at + 6, 16));
      } else {
        text.append(escape ? unescaped(file.charAt(at + 1)) : sign);
      }
      at += number ? 6 : escape ? 2 : 1;
    }
    places[text.length()] = to - 1;
    return new Passage(kind, text.toString(), places);
  }

  /** {@code \\u003e}, as Go writes {@code >} in JSON. */
  private static boolean isCodePoint(String file, int at, int end) {
    return file.charAt(at) == 'u'
        && at + 5 <= end
        && file.substring(at + 1, at + 5).chars().allMatch(HexFormat::isHexDigit);
  }

  private static char unescaped(char sign) {
    return switch (sign) {
      case 'n', 'r' -> '\n';
      case 't' -> '\t';
      default -> sign;
    };
  }

  Kind kind() {
    return kind;
  }

  String text() {
    return text;
  }

  /** The place in the file of a character. */
  int place(int index) {
    return places[index];
  }
}
