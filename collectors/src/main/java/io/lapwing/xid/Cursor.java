package io.lapwing.xid;

import java.util.Optional;
import java.util.OptionalLong;

/** A place in a text that moves forward over what is recognised, and stays where nothing is. */
final class Cursor {

  private final String text;
  private int at;

  Cursor(String text) {
    this.text = text;
  }

  /** Moves behind a literal that stands here. */
  boolean skip(String literal) {
    if (!text.startsWith(literal, at)) {
      return false;
    }
    at += literal.length();
    return true;
  }

  /** What stands before a literal; moves behind it. */
  Optional<String> upTo(String literal) {
    int end = text.indexOf(literal, at);
    if (end < 0) {
      return Optional.empty();
    }
    String before = text.substring(at, end);
    at = end + literal.length();
    return Optional.of(before);
  }

  /**
   * The decimal number that stands here.
   *
   * @param digits at most; a longer number is none
   */
  OptionalLong number(int digits) {
    long value = 0;
    int i = at;
    while (i < text.length() && isDigit(text.charAt(i)) && i - at <= digits) {
      value = value * 10 + (text.charAt(i) - '0');
      i++;
    }
    if (i == at || i - at > digits) {
      return OptionalLong.empty();
    }
    at = i;
    return OptionalLong.of(value);
  }

  /** A word: up to the next blank, line break or the end. */
  String word() {
    int end = at;
    while (end < text.length() && text.charAt(end) > ' ') {
      end++;
    }
    String word = text.substring(at, end);
    at = end;
    return word;
  }

  String rest() {
    return text.substring(at);
  }

  boolean atEnd() {
    return at == text.length();
  }

  int mark() {
    return at;
  }

  void backTo(int mark) {
    at = mark;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
