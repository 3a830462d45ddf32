package io.lapwing.linux;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Parses decimal numbers as the kernel prints them. Anything else is empty. */
public final class KernelNumber {

  /** 2^64-1 without its last digit, and that digit. */
  private static final long MAX_TENTHS = 1_844_674_407_370_955_161L;

  private static final int LAST_DIGIT_OF_MAX = 5;
  private static final int TEN = 10;

  /** Digits after the point of a decimal number. */
  private static final int MAX_FRACTION = 19;

  private KernelNumber() {}

  /** A number from 0 to 2^64-1 amid white space; above 2^53 the nearest double. */
  static OptionalDouble unsigned(byte[] text, int length) {
    int from = 0;
    int to = length;
    while (from < to && isSpace(text[from])) {
      from++;
    }
    while (to > from && isSpace(text[to - 1])) {
      to--;
    }
    double number = unsigned(text, from, to);
    return Double.isNaN(number) ? OptionalDouble.empty() : OptionalDouble.of(number);
  }

  /** As {@link #unsigned(String)}, of the bytes from one index to another; otherwise NaN. */
  static double unsigned(byte[] text, int from, int to) {
    long number = 0;
    for (int at = from; at < to; at++) {
      int digit = text[at] - '0';
      if (!fits(number, digit)) {
        return Double.NaN;
      }
      number = number * TEN + digit;
    }
    return from == to ? Double.NaN : toDouble(number);
  }

  /** A number from 0 to 2^64-1. Above 2^53 it is the nearest double. */
  public static OptionalDouble unsigned(String text) {
    return unsigned(text, 0, text.length());
  }

  /** As {@link #unsigned(String)}, of the characters from one index to another. */
  public static OptionalDouble unsigned(String text, int from, int to) {
    OptionalLong bits = bits(text, from, to);
    return bits.isPresent()
        ? OptionalDouble.of(toDouble(bits.getAsLong()))
        : OptionalDouble.empty();
  }

  /** A number from 0 to 2^64-1, as the 64 bits of an unsigned long. */
  public static OptionalLong bits(String text) {
    return bits(text, 0, text.length());
  }

  /** A number from 0 to 2^63-1, such as seconds since 1970. */
  public static OptionalLong signed(String text) {
    OptionalLong bits = bits(text);
    return bits.isPresent() && bits.getAsLong() >= 0 ? bits : OptionalLong.empty();
  }

  /** A number without a sign, with or without a fraction: {@code 1690000000.123456789}. */
  public static OptionalDouble decimal(String text) {
    int point = text.indexOf('.');
    if (point < 0) {
      return unsigned(text);
    }
    String fraction = text.substring(point + 1);
    return isNumber(text.substring(0, point))
            && isNumber(fraction)
            && fraction.length() <= MAX_FRACTION
        ? OptionalDouble.of(Double.parseDouble(text))
        : OptionalDouble.empty();
  }

  private static boolean isNumber(String text) {
    return bits(text).isPresent();
  }

  private static OptionalLong bits(String text, int from, int to) {
    long number = 0;
    for (int at = from; at < to; at++) {
      int digit = text.charAt(at) - '0';
      if (!fits(number, digit)) {
        return OptionalLong.empty();
      }
      number = number * TEN + digit;
    }
    return from == to ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** Whether it is a digit for which there is room. */
  private static boolean fits(long number, int digit) {
    return digit >= 0 && digit < TEN && !overflows(number, digit);
  }

  /** A number that is negative as a signed long is too large for another digit. */
  private static boolean overflows(long number, int digit) {
    return number < 0 || number > MAX_TENTHS || (number == MAX_TENTHS && digit > LAST_DIGIT_OF_MAX);
  }

  /** The lowest bit is kept, so that the result is correctly rounded. */
  private static double toDouble(long unsigned) {
    return unsigned >= 0 ? unsigned : ((unsigned >>> 1) | (unsigned & 1)) * 2.0;
  }

  private static boolean isSpace(byte one) {
    return one == ' ' || one == '\n' || one == '\r' || one == '\t';
  }
}
