package io.lapwing.exposition;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A sample, valid only during the callback: it is reused. Converts labels on demand. */
public final class ExposedSample {

  /** Offsets of a label: name from and to, value from and to. */
  private static final int PLACES = 4;

  private byte[] line = new byte[0];
  private int from;
  private int seriesEnd;
  private String name = "";
  private double value;
  private int labels;
  private final int[] places;

  ExposedSample(int mostLabels) {
    places = new int[mostLabels * PLACES];
  }

  void begin(byte[] text, int at, String wanted) {
    line = text;
    from = at;
    name = wanted;
    labels = 0;
  }

  void label(int nameFrom, int nameTo, int valueFrom, int valueTo) {
    int at = labels++ * PLACES;
    places[at] = nameFrom;
    places[at + 1] = nameTo;
    places[at + 2] = valueFrom;
    places[at + 3] = valueTo;
  }

  void end(int endOfSeries, double number) {
    seriesEnd = endOfSeries;
    value = number;
  }

  boolean isFull() {
    return labels * PLACES == places.length;
  }

  boolean has(int nameFrom, int nameTo) {
    for (int i = 0; i < labels; i++) {
      if (Arrays.equals(line, nameFrom, nameTo, line, places[i * PLACES], places[i * PLACES + 1])) {
        return true;
      }
    }
    return false;
  }

  /** The name as written, {@code x_bucket}: the same object as in {@link SampleNames}. */
  public String name() {
    return name;
  }

  /** The value as written; may be NaN or infinite. */
  public double value() {
    return value;
  }

  public int labels() {
    return labels;
  }

  /** The name of the label at an index, in the order of the line. */
  public String labelName(int index) {
    int at = index * PLACES;
    return text(places[at], places[at + 1]);
  }

  /** The unescaped value of the label at an index; bytes that are not valid UTF-8 become U+FFFD. */
  public String labelValue(int index) {
    int at = index * PLACES;
    return Escapes.unescaped(text(places[at + 2], places[at + 3]));
  }

  /** The value of the label of that name; null if there is none. */
  public @Nullable String label(String labelName) {
    for (int i = 0; i < labels; i++) {
      if (isAt(labelName, places[i * PLACES], places[i * PLACES + 1])) {
        return labelValue(i);
      }
    }
    return null;
  }

  private boolean isAt(String text, int start, int end) {
    if (text.length() != end - start) {
      return false;
    }
    int same = 0;
    while (same < text.length() && line[start + same] == text.charAt(same)) {
      same++;
    }
    return same == text.length();
  }

  private String text(int start, int end) {
    return new String(line, start, end - start, StandardCharsets.UTF_8);
  }

  /** Name and labels as written, for {@link KnownSeries}. */
  byte[] seriesBytes() {
    return Arrays.copyOfRange(line, from, seriesEnd);
  }

  int seriesHash() {
    int hash = 0;
    for (int at = from; at < seriesEnd; at++) {
      hash = 31 * hash + line[at];
    }
    return hash ^ (hash >>> 15);
  }

  boolean isSeries(byte[] other) {
    return Arrays.equals(other, 0, other.length, line, from, seriesEnd);
  }

  static final class Escapes {

    private Escapes() {}

    /** Replaces {@code \\}, {@code \"} and {@code \n}; other escapes are kept. */
    static String unescaped(String written) {
      if (written.indexOf('\\') < 0) {
        return written;
      }
      StringBuilder text = new StringBuilder(written.length());
      for (int at = 0; at < written.length(); at++) {
        char one = written.charAt(at);
        char next = one == '\\' && at + 1 < written.length() ? written.charAt(at + 1) : 0;
        if (next == '\\' || next == '"' || next == 'n') {
          text.append(next == 'n' ? '\n' : next);
          at++;
        } else {
          text.append(one);
        }
      }
      return text.toString();
    }
  }
}
