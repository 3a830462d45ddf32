package io.lapwing.linux;

import java.util.OptionalDouble;

/** A whole number from 0 to 2^64-1 as the kernel writes it, read from bytes without a string. */
final class UnsignedDecimal {

  /** 2^64-1 without its last digit, and that digit. */
  private static final long MOST_TENTHS = 1_844_674_407_370_955_161L;

  private static final int LAST_DIGIT_OF_MOST = 5;
  private static final int TEN = 10;

  private UnsignedDecimal() {}

  /**
   * The number that stands there alone, with nothing but white space around it; empty for anything
   * else. Above 2^53 it is the nearest double.
   *
   * @param length how many of the bytes count
   */
  static OptionalDouble parse(byte[] text, int length) {
    int from = 0;
    int to = length;
    while (from < to && isSpace(text[from])) {
      from++;
    }
    while (to > from && isSpace(text[to - 1])) {
      to--;
    }
    return from == to ? OptionalDouble.empty() : digits(text, from, to);
  }

  private static OptionalDouble digits(byte[] text, int from, int to) {
    long number = 0;
    for (int at = from; at < to; at++) {
      int digit = text[at] - '0';
      if (digit < 0 || digit >= TEN || overflows(number, digit)) {
        return OptionalDouble.empty();
      }
      number = number * TEN + digit;
    }
    return OptionalDouble.of(toDouble(number));
  }

  /** Of a number that is negative as a signed one, any digit more is too much. */
  private static boolean overflows(long number, int digit) {
    return number < 0
        || number > MOST_TENTHS
        || (number == MOST_TENTHS && digit > LAST_DIGIT_OF_MOST);
  }

  /** Of the 64 bits as an unsigned number; the lowest bit is kept so that it rounds correctly. */
  private static double toDouble(long unsigned) {
    return unsigned >= 0 ? unsigned : ((unsigned >>> 1) | (unsigned & 1)) * 2.0;
  }

  private static boolean isSpace(byte one) {
    return one == ' ' || one == '\n' || one == '\r' || one == '\t';
  }
}
