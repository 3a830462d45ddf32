package io.lapwing.nccl.ring;

import io.lapwing.metric.LabelText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A text of a ring file, which any user may have written. */
final class RingText {

  private RingText() {}

  /**
   * Up to the first NUL, without control characters, and without those that would be escaped in an
   * exposition.
   */
  static String of(ByteBuffer buffer, int from, int most) {
    byte[] bytes = new byte[most];
    int length = 0;
    while (length < most && buffer.get(from + length) != 0) {
      bytes[length] = buffer.get(from + length);
      length++;
    }
    return LabelText.clean(new String(bytes, 0, length, StandardCharsets.UTF_8))
        .strip()
        .replace('"', '_')
        .replace('\\', '_');
  }
}
