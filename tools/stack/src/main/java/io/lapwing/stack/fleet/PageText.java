package io.lapwing.stack.fleet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A byte buffer for a response. */
final class PageText {

  private byte[] bytes;
  private int length;

  PageText(int expected) {
    bytes = new byte[expected];
  }

  /** ASCII only. */
  @SuppressWarnings("deprecation") // the one way that copies ASCII without an encoder
  void add(String ascii) {
    room(ascii.length());
    ascii.getBytes(0, ascii.length(), bytes, length);
    length += ascii.length();
  }

  void add(double value, boolean whole) {
    if (whole) {
      add(Long.toString(Math.round(value)));
    } else if (Double.isInfinite(value)) {
      add(value > 0 ? "+Inf" : "-Inf");
    } else {
      add(Double.toString(value));
    }
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  private void room(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.US_ASCII);
  }
}
