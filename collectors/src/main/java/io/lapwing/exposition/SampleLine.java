package io.lapwing.exposition;

/** Parses one line; skips a timestamp, which must be a number, and an exemplar. */
final class SampleLine {

  enum Kind {
    /** A wanted sample, in {@link #sample()}. */
    WANTED,
    /** A comment, an empty line or another sample. */
    OTHER,
    END_OF_PAGE,
    MALFORMED
  }

  private final SampleNames names;
  private final int mostLabelBytes;
  private final ExposedSample sample;
  private final SampleNumber number = new SampleNumber();
  private final boolean[] prefixes;
  private byte[] line = new byte[0];
  private int at;
  private int end;

  SampleLine(SampleNames names, ExpositionText.Limits limits) {
    this.names = names;
    mostLabelBytes = limits.labelBytes();
    sample = new ExposedSample(limits.labels());
    prefixes = new boolean[names.prefixes().size()];
  }

  ExposedSample sample() {
    return sample;
  }

  /** Which of the prefixes have occurred, by index. */
  boolean[] prefixes() {
    return prefixes;
  }

  Kind read(byte[] text, int from, int to) {
    line = text;
    at = from;
    end = to;
    spaces();
    if (at == end) {
      return Kind.OTHER;
    }
    // A quoted name is within the braces; such names are never wanted.
    return switch (line[at]) {
      case '#' -> comment();
      case '{' -> Kind.OTHER;
      default -> named();
    };
  }

  private Kind comment() {
    at++;
    spaces();
    if (word("EOF")) {
      return Kind.END_OF_PAGE;
    }
    if (word("TYPE")) {
      spaces();
      int from = at;
      name(true);
      notePrefix(from, at);
    }
    return Kind.OTHER;
  }

  private Kind named() {
    int from = at;
    name(true);
    if (at == from || at == end || (line[at] != '{' && !isSpace(line[at]))) {
      return Kind.MALFORMED;
    }
    notePrefix(from, at);
    String wanted = names.find(line, from, at);
    return wanted == null ? Kind.OTHER : rest(from, wanted);
  }

  private Kind rest(int from, String wanted) {
    sample.begin(line, from, wanted);
    spaces();
    if (at < end && line[at] == '{' && !labels()) {
      return Kind.MALFORMED;
    }
    int seriesEnd = at;
    spaces();
    int valueFrom = at;
    toSpace();
    if (!number.read(line, valueFrom, at)) {
      return Kind.MALFORMED;
    }
    sample.end(seriesEnd, number.value());
    return ends() ? Kind.WANTED : Kind.MALFORMED;
  }

  /** From an opening brace to behind the closing one. */
  private boolean labels() {
    at++;
    spaces();
    while (at < end && line[at] != '}') {
      if (!label()) {
        return false;
      }
      spaces();
      if (at < end && line[at] == ',') {
        at++;
        spaces();
      } else if (at == end || line[at] != '}') {
        return false;
      }
    }
    return at++ < end;
  }

  private boolean label() {
    int nameFrom = at;
    name(false);
    int nameTo = at;
    spaces();
    if (nameTo == nameFrom || at == end || line[at++] != '=') {
      return false;
    }
    spaces();
    if (at == end || line[at++] != '"') {
      return false;
    }
    int valueFrom = at;
    while (at < end && line[at] != '"') {
      at += line[at] == '\\' ? 2 : 1;
    }
    if (at >= end
        || at - valueFrom > mostLabelBytes
        || sample.isFull()
        || sample.has(nameFrom, nameTo)) {
      return false;
    }
    sample.label(nameFrom, nameTo, valueFrom, at++);
    return true;
  }

  /** Whether the rest of the line is valid behind a value. */
  private boolean ends() {
    spaces();
    if (at == end || line[at] == '#') {
      return true;
    }
    int from = at;
    toSpace();
    if (!number.read(line, from, at)) {
      return false;
    }
    spaces();
    return at == end || line[at] == '#';
  }

  private void name(boolean colons) {
    int from = at;
    while (at < end && isNameByte(line[at], at > from, colons)) {
      at++;
    }
  }

  private static boolean isNameByte(byte one, boolean digits, boolean colons) {
    return (one >= 'a' && one <= 'z')
        || (one >= 'A' && one <= 'Z')
        || one == '_'
        || (digits && one >= '0' && one <= '9')
        || (colons && one == ':');
  }

  private boolean word(String text) {
    int to = at + text.length();
    if (to > end || (to < end && !isSpace(line[to]))) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (line[at + i] != text.charAt(i)) {
        return false;
      }
    }
    at = to;
    return true;
  }

  private void notePrefix(int from, int to) {
    for (int i = 0; i < prefixes.length; i++) {
      prefixes[i] = prefixes[i] || names.hasPrefix(i, line, from, to);
    }
  }

  private void spaces() {
    while (at < end && isSpace(line[at])) {
      at++;
    }
  }

  private void toSpace() {
    while (at < end && !isSpace(line[at])) {
      at++;
    }
  }

  private static boolean isSpace(byte one) {
    return one == ' ' || one == '\t';
  }
}
