package io.lapwing.inference;

/** A model as an engine names it: whatever its operator typed. */
final class ModelName {

  private static final int MOST_CHARS = 128;

  private ModelName() {}

  /** Without control characters, cut at 128 characters. */
  static String clean(String name) {
    StringBuilder clean = new StringBuilder(Math.min(name.length(), MOST_CHARS));
    for (int at = 0; at < name.length() && clean.length() < MOST_CHARS; at++) {
      char one = name.charAt(at);
      if (!Character.isISOControl(one)) {
        clean.append(one);
      }
    }
    int last = clean.length() - 1;
    if (last >= 0 && Character.isHighSurrogate(clean.charAt(last))) {
      clean.setLength(last);
    }
    return clean.toString();
  }
}
