package io.lapwing.agent.events;

/** Texts as they are written: of bounded length, and nothing in them that UTF-8 cannot say. */
final class BoundedText {

  /** UUIDs, addresses, names of rules and subjects, versions. */
  static final int NAME = 256;

  /** The kernel's own names of processes have 15 characters. */
  static final int PROCESS = 64;

  /** A kernel message, a reason, a note. */
  static final int MESSAGE = 2_000;

  private static final char ELLIPSIS = '\u2026';
  private static final char REPLACEMENT = '\ufffd';

  private BoundedText() {}

  /** Itself, or as much of it as fits, with an ellipsis as its last character. */
  static String of(String text, int most) {
    return text.length() <= most ? paired(text) : shortened(text, most - 1);
  }

  private static String shortened(String text, int most) {
    boolean splitsPair = Character.isHighSurrogate(text.charAt(most - 1));
    return paired(text.substring(0, splitsPair ? most - 1 : most)) + ELLIPSIS;
  }

  /** Halves of a surrogate pair that stand alone make a JSON writer throw; they are replaced. */
  private static String paired(String text) {
    int first = loneHalf(text, 0);
    if (first < 0) {
      return text;
    }
    char[] chars = text.toCharArray();
    for (int i = first; i >= 0; i = loneHalf(text, i + 1)) {
      chars[i] = REPLACEMENT;
    }
    return new String(chars);
  }

  private static int loneHalf(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSurrogatePair(text.charAt(i), after(text, i))) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  private static char after(String text, int i) {
    return i + 1 < text.length() ? text.charAt(i + 1) : 0;
  }
}
