package io.lapwing.training;

import io.lapwing.metric.LabelText;
import java.nio.charset.StandardCharsets;

/** Text from a file of anybody's, made fit for a label. */
final class HeaderText {

  private HeaderText() {}

  /**
   * The text up to the first NUL, without what controls how it is shown. What is no UTF-8 is
   * replaced, character by character.
   *
   * @param most bytes of it
   */
  static String of(byte[] bytes, int from, int most) {
    int to = from;
    while (to < from + most && bytes[to] != 0) {
      to++;
    }
    String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return LabelText.clean(text).strip();
  }

  /** The same as a part of a name: letters, digits and a few signs, at most 64. */
  static String name(String text) {
    String plain = text.replaceAll("[^A-Za-z0-9_.]+", "_");
    return plain.substring(0, Math.min(plain.length(), 64));
  }
}
