package io.lapwing.agent.metrics;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing, reusable output buffer for the scrape response. Not thread-safe. */
final class PageBuffer extends OutputStream {

  /** A double represents every integer below this. */
  private static final double MAX_INTEGER = 1L << 53;

  private static final byte[] NOT_A_NUMBER = ascii("NaN");
  private static final byte[] INFINITE = ascii("+Inf");
  private static final byte[] MINUS_INFINITE = ascii("-Inf");
  private static final int MAX_INTEGER_LENGTH = 20;

  private byte[] bytes;
  private int size;

  PageBuffer() {
    this(1 << 16);
  }

  PageBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }

  @Override
  public void write(int oneByte) {
    reserve(1);
    bytes[size++] = (byte) oneByte;
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    reserve(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  void put(byte[] from) {
    write(from, 0, from.length);
  }

  void put(PageBuffer from, int begin, int end) {
    write(from.bytes, begin, end - begin);
  }

  /** Writes a sample value. Integers, most of the values, are written without a string. */
  void number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < MAX_INTEGER) {
      integer((long) value);
    } else if (Double.isNaN(value)) {
      put(NOT_A_NUMBER);
    } else if (Double.isInfinite(value)) {
      put(value > 0 ? INFINITE : MINUS_INFINITE);
    } else {
      put(ascii(Double.toString(value)));
    }
  }

  private void integer(long value) {
    reserve(MAX_INTEGER_LENGTH);
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
   * Grows by an eighth: it never shrinks, and doubling 500 kB would waste a large part of a small
   * heap.
   */
  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length + bytes.length / 8, size + more));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
