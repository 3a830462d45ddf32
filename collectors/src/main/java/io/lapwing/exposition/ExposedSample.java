package io.lapwing.exposition;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One sample of a page, good for as long as the call lasts that it is handed to: the next one comes
 * in the same object. A label becomes a string when it is asked for, not before.
 */
public final class ExposedSample {

  /** Where a label is: name from and to, value from and to. */
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

  /** Whether there is a label of the name that stands there. */
  boolean has(int nameFrom, int nameTo) {
    for (int i = 0; i < labels; i++) {
      if (Arrays.equals(line, nameFrom, nameTo, line, places[i * PLACES], places[i * PLACES + 1])) {
        return true;
      }
    }
    return false;
  }

  /**
   * As it stands on the line: {@code x_bucket}. One of the {@link SampleNames}, the same string.
   */
  public String name() {
    return name;
  }

  /** As it stands on the line; may be NaN or infinite. */
  public double value() {
    return value;
  }

  /** How many labels it has. */
  public int labels() {
    return labels;
  }

  /**
   * The name of a label.
   *
   * @param index from 0, in the order of the line
   */
  public String labelName(int index) {
    int at = index * PLACES;
    return text(places[at], places[at + 1]);
  }

  /**
   * The value of a label without its escapes; bytes that are no UTF-8 become U+FFFD.
   *
   * @param index from 0, in the order of the line
   */
  public String labelValue(int index) {
    int at = index * PLACES;
    return LabelText.unescaped(text(places[at + 2], places[at + 3]));
  }

  /** The value of the label of that name; null where there is none. */
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

  /** Name and labels as they are written, for {@link KnownSeries}. */
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
}
