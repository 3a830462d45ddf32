package io.lapwing.xid;

import java.util.Optional;
import java.util.OptionalLong;

/** A position in a text that advances over recognised input only. */
final class Cursor {

  private final String text;
  private int at;

  Cursor(String text) {
    this.text = text;
  }

  boolean skip(String literal) {
    if (!text.startsWith(literal, at)) {
      return false;
    }
    at += literal.length();
    return true;
  }

  /** The text before a literal, which is skipped too. */
  Optional<String> upTo(String literal) {
    int end = text.indexOf(literal, at);
    if (end < 0) {
      return Optional.empty();
    }
    String before = text.substring(at, end);
    at = end + literal.length();
    return Optional.of(before);
  }

  /** The decimal number at this position; one of more digits is rejected. */
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

  /** The text up to the next whitespace or the end. */
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
