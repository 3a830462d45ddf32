package io.lapwing.exposition;

import java.nio.charset.StandardCharsets;

/** Parses sample values to the nearest double; short decimals without a string. */
final class SampleNumber {

  /** Longer than any double is written. */
  private static final int MAX_BYTES = 512;

  /** Below this, an integer with one more digit is still exact in a double. */
  private static final long EXACT = (1L << 53) / 10 - 1;

  /** Powers of ten that are exact in a double: a division by one rounds once. */
  private static final double[] TENS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private double value;

  /** The value of the last successful {@link #read}. */
  double value() {
    return value;
  }

  boolean read(byte[] text, int from, int to) {
    return from < to && to - from <= MAX_BYTES && (plain(text, from, to) || other(text, from, to));
  }

  /** The fast path: digits with at most one point. */
  private boolean plain(byte[] text, int from, int to) {
    boolean negative = text[from] == '-';
    int first = negative || text[from] == '+' ? from + 1 : from;
    long digits = 0;
    int point = -1;
    for (int at = first; at < to; at++) {
      int digit = text[at] - '0';
      if (digit >= 0 && digit <= 9 && digits < EXACT) {
        digits = digits * 10 + digit;
      } else if (text[at] == '.' && point < 0) {
        point = at;
      } else {
        return false;
      }
    }
    int behind = point < 0 ? 0 : to - point - 1;
    if (to - first - (point < 0 ? 0 : 1) < 1 || behind >= TENS.length) {
      return false;
    }
    double size = digits / TENS[behind];
    value = negative ? -size : size;
    return true;
  }

  private boolean other(byte[] text, int from, int to) {
    String word = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    if (word.equalsIgnoreCase("NaN")) {
      value = Double.NaN;
      return true;
    }
    String size = word.charAt(0) == '+' || word.charAt(0) == '-' ? word.substring(1) : word;
    if (size.equalsIgnoreCase("Inf") || size.equalsIgnoreCase("Infinity")) {
      value = word.charAt(0) == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      return true;
    }
    return decimal(word);
  }

  /** Rejects what only Java accepts: {@code 1d}, {@code 0x1p3}. */
  private boolean decimal(String word) {
    for (int at = 0; at < word.length(); at++) {
      if ("0123456789+-.eE".indexOf(word.charAt(at)) < 0) {
        return false;
      }
    }
    try {
      value = Double.parseDouble(word);
      return true;
    } catch (NumberFormatException none) {
      return false;
    }
  }
}
