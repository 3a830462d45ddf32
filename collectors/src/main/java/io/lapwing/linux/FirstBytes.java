package io.lapwing.linux;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The beginning of a file that is most often far smaller than it may be: hundreds are read each
 * minute, and {@link InputStream#readNBytes(int)} makes room for eight kilobytes each time.
 */
final class FirstBytes {

  private static final int GROWTH = 4;

  private FirstBytes() {}

  /** All there is up to a limit, with room for {@code usual} bytes to begin with. */
  static byte[] of(InputStream in, int usual, int most) throws IOException {
    byte[] bytes = new byte[Math.min(usual, most)];
    int length = 0;
    int got = in.read(bytes, 0, bytes.length);
    while (got > 0) {
      length += got;
      if (length == bytes.length && length < most) {
        bytes = Arrays.copyOf(bytes, (int) Math.min((long) length * GROWTH, most));
      }
      got = in.read(bytes, length, bytes.length - length);
    }
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
