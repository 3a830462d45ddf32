package io.lapwing.linux;

import java.util.Optional;

/**
 * The header of a record of /dev/kmsg: {@code 4,12345,98765432101,-,caller=T1;}.
 *
 * @param priority facility times 8 plus level
 * @param usec since boot
 * @param text offset of the text
 */
record KmsgHeader(long priority, long sequence, long usec, int text) {

  /** More digits may not fit into a long. */
  private static final int MAX_DIGITS = 18;

  /** Empty if the bytes are not a record. */
  static Optional<KmsgHeader> parse(byte[] bytes, int from, int to) {
    int priority = digits(bytes, from, to);
    int sequence = digits(bytes, priority + 1, to);
    int usec = digits(bytes, sequence + 1, to);
    if (!(number(bytes, from, priority, to)
        && number(bytes, priority + 1, sequence, to)
        && number(bytes, sequence + 1, usec, to))) {
      return Optional.empty();
    }
    int text = usec;
    while (text < to && bytes[text] != ';' && bytes[text] != '\n') {
      text++;
    }
    return text < to && bytes[text] == ';' && bytes[priority] == ',' && bytes[sequence] == ','
        ? Optional.of(
            new KmsgHeader(
                value(bytes, from, priority),
                value(bytes, priority + 1, sequence),
                value(bytes, sequence + 1, usec),
                text + 1))
        : Optional.empty();
  }

  /** The facility is 0, which only the kernel can write, whatever root sends to the device. */
  boolean ofKernel() {
    return priority >> 3 == 0;
  }

  private static int digits(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return at;
  }

  private static boolean number(byte[] bytes, int from, int end, int to) {
    return end > from && end - from <= MAX_DIGITS && end < to && ",;".indexOf(bytes[end]) >= 0;
  }

  private static long value(byte[] bytes, int from, int end) {
    long value = 0;
    for (int at = from; at < end; at++) {
      value = 10 * value + bytes[at] - '0';
    }
    return value;
  }
}
