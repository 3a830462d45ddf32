package io.lapwing.metric;

import java.util.Comparator;

/**
 * Orders names of devices with their numbers by value: {@code rdmap2s0} before {@code rdmap10s0}.
 */
public final class NaturalOrder {

  public static final Comparator<String> OF_NAMES = NaturalOrder::compare;

  private NaturalOrder() {}

  private static int compare(String left, String right) {
    int i = 0;
    int j = 0;
    while (i < left.length() && j < right.length()) {
      int order;
      int nextI = i + 1;
      int nextJ = j + 1;
      if (isDigit(left.charAt(i)) && isDigit(right.charAt(j))) {
        nextI = endOfNumber(left, i);
        nextJ = endOfNumber(right, j);
        order = compareNumbers(left, i, nextI, right, j, nextJ);
      } else {
        order = Character.compare(left.charAt(i), right.charAt(j));
      }
      if (order != 0) {
        return order;
      }
      i = nextI;
      j = nextJ;
    }
    int rest = Integer.compare(left.length() - i, right.length() - j);
    // Different texts are never equal: 01 and 1.
    return rest != 0 ? rest : left.compareTo(right);
  }

  /** Of any length. */
  private static int compareNumbers(
      String left, int from, int end, String right, int otherFrom, int otherEnd) {
    int i = afterZeros(left, from, end);
    int j = afterZeros(right, otherFrom, otherEnd);
    int order = Integer.compare(end - i, otherEnd - j);
    while (order == 0 && i < end) {
      order = Character.compare(left.charAt(i++), right.charAt(j++));
    }
    return order;
  }

  private static int afterZeros(String text, int from, int end) {
    int i = from;
    while (i < end && text.charAt(i) == '0') {
      i++;
    }
    return i;
  }

  private static int endOfNumber(String text, int start) {
    int end = start;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
