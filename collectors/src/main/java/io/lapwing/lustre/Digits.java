package io.lapwing.lustre;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Numbers as the kernel writes them. */
final class Digits {

  /** The digits of the largest number of 64 bits. */
  private static final int MOST = 20;

  private Digits() {}

  /** A whole number of 64 bits without a sign; empty for anything else. */
  static OptionalDouble unsigned(String text) {
    if (!areDigits(text) || text.length() > MOST) {
      return OptionalDouble.empty();
    }
    try {
      long bits = Long.parseUnsignedLong(text);
      return OptionalDouble.of(bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0);
    } catch (NumberFormatException larger) {
      return OptionalDouble.empty();
    }
  }

  /** A whole number of 63 bits, such as seconds since 1970; empty for anything else. */
  static OptionalLong whole(String text) {
    if (!areDigits(text) || text.length() >= MOST) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException larger) {
      return OptionalLong.empty();
    }
  }

  /** {@code 1690000000.123456789}, or the same without what is behind the point. */
  static OptionalDouble decimal(String text) {
    int point = text.indexOf('.');
    if (point < 0) {
      return unsigned(text);
    }
    String behind = text.substring(point + 1);
    return unsigned(text.substring(0, point)).isPresent()
            && areDigits(behind)
            && behind.length() < MOST
        ? OptionalDouble.of(Double.parseDouble(text))
        : OptionalDouble.empty();
  }

  private static boolean areDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty();
  }
}
