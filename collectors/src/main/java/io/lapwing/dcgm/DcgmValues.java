package io.lapwing.dcgm;

import io.lapwing.collect.Reading;
import java.util.Map;

/** The latest samples of a watch, each with its own answer. */
public record DcgmValues(Map<Key, Reading<Sample>> samples) {

  /** The reason of a value that the engine left blank, as while profiling is paused. */
  public static final String BLANK = "blank";

  /** The reason before the first sample. */
  public static final String NO_DATA = DcgmReturn.NO_DATA.reason();

  public DcgmValues {
    samples = Map.copyOf(samples);
  }

  record Key(DcgmEntity entity, DcgmFieldId field) {}

  /**
   * A value, and when the engine took it, in microseconds since 1970.
   *
   * @param value NaN if it is text
   * @param text empty if it is a number
   */
  public record Sample(double value, String text, long micros) {

    public Sample(double value, long micros) {
      this(value, "", micros);
    }

    static Sample of(String text, long micros) {
      return new Sample(Double.NaN, text, micros);
    }
  }

  /** {@link Reading.Unsupported} for a field that is not watched. */
  public Reading<Sample> get(DcgmEntity entity, DcgmFieldId field) {
    Reading<Sample> sample = samples.get(new Key(entity, field));
    return sample == null ? new Reading.Unsupported<>(field.question()) : sample;
  }
}
