package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.HashMap;
import java.util.Map;

/** The answers of one {@code nvmlDeviceGetFieldValues}: one moment of one device. */
public final class FieldValues {

  public static final FieldValues NONE = new FieldValues(Map.of());

  private final Map<FieldKey, Reading<Double>> values;

  public FieldValues(Map<FieldKey, Reading<Double>> values) {
    this.values = new HashMap<>(values);
  }

  /** The answer; a field that was not asked for is {@link Reading.Unsupported}. */
  public Reading<Double> get(FieldKey key) {
    Reading<Double> value = values.get(key);
    return value == null ? new Reading.Unsupported<>(key.question()) : value;
  }
}
