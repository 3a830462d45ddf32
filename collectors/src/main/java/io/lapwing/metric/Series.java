package io.lapwing.metric;

/** One line of the metrics page without its value. */
public record Series(Metric metric, Labels labels) {

  /** Quotes, equals sign and comma around a label. */
  private static final int AROUND_LABEL = 4;

  /** Upper limit of its length in UTF-8, with escapes. */
  int lineBytes() {
    int bytes = metric.sampleName().length() + 2;
    for (int i = 0; i < labels.names().size(); i++) {
      bytes += labels.names().get(i).length() + AROUND_LABEL + bytes(labels.values().get(i));
    }
    return bytes;
  }

  /** A surrogate is half of four bytes, and counts as three. */
  private static int bytes(String value) {
    int bytes = value.length();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\' || c == '\n' || (c >= 0x80 && c < 0x800)) {
        bytes++;
      } else if (c >= 0x800) {
        bytes += 2;
      }
    }
    return bytes;
  }
}
