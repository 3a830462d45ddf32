package io.lapwing.agent.metrics;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes of a page being written. Grows, and is used again for the next page. Serves one thread. */
final class PageBuffer extends OutputStream {

  /** Below this a double holds every whole number. */
  private static final double MOST_WHOLE = 1L << 53;

  private static final byte[] NOT_A_NUMBER = ascii("NaN");
  private static final byte[] INFINITE = ascii("+Inf");
  private static final byte[] MINUS_INFINITE = ascii("-Inf");
  private static final int LONGEST_WHOLE = 20;

  private byte[] bytes = new byte[1 << 16];
  private int size;

  void clear() {
    size = 0;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  @Override
  public void write(int oneByte) {
    room(1);
    bytes[size++] = (byte) oneByte;
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    room(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  void put(byte[] from) {
    write(from, 0, from.length);
  }

  /**
   * A value as Prometheus reads it; whole numbers, most of a page, without a detour over a string.
   */
  void number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < MOST_WHOLE) {
      whole((long) value);
    } else if (Double.isNaN(value)) {
      put(NOT_A_NUMBER);
    } else if (Double.isInfinite(value)) {
      put(value > 0 ? INFINITE : MINUS_INFINITE);
    } else {
      put(ascii(Double.toString(value)));
    }
  }

  private void whole(long value) {
    room(LONGEST_WHOLE);
    if (value < 0) {
      bytes[size++] = '-';
    }
    long rest = Math.abs(value);
    int digits = 1;
    for (long bound = 10; rest >= bound; bound *= 10) {
      digits++;
    }
    for (int at = size + digits - 1; at >= size; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += digits;
  }

  /**
   * By an eighth: it stays as large as it ever was, and a page of half a megabyte that once was a
   * little longer would hold a whole one of a small heap for good.
   */
  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length + bytes.length / 8, size + more));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
