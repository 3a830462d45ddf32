package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The results of one {@code nvmlDeviceGetFieldValues} call. */
public final class FieldValues {

  public static final FieldValues NONE = new FieldValues(Map.of());

  private final Optional<String> failure;

  private final Map<FieldKey, Reading<Double>> values;

  /** Of the device: the fields that it is not asked for again. */
  private final Map<FieldKey, Reading<Double>> absent;

  public FieldValues(Map<FieldKey, Reading<Double>> values) {
    this(values, Optional.empty());
  }

  /** If the whole call failed, every requested field failed. The map is not copied. */
  public FieldValues(Map<FieldKey, Reading<Double>> values, Optional<String> failure) {
    this(values, Map.of(), failure);
  }

  /** The same; neither map is copied. */
  FieldValues(
      Map<FieldKey, Reading<Double>> values,
      Map<FieldKey, Reading<Double>> absent,
      Optional<String> failure) {
    this.values = values;
    this.absent = absent;
    this.failure = failure;
  }

  /** Why the call failed as a whole: the device does not respond. */
  public Optional<String> failure() {
    return failure;
  }

  /** These and others of the same device. */
  public FieldValues and(FieldValues others) {
    Map<FieldKey, Reading<Double>> all = new HashMap<>(values);
    all.putAll(others.values);
    return new FieldValues(
        all, others.absent.isEmpty() ? absent : others.absent, failure.or(() -> others.failure));
  }

  /** The value; {@link Reading.Unsupported} for a field that was not requested. */
  public Reading<Double> get(FieldKey key) {
    Reading<Double> value = values.get(key);
    if (value == null) {
      value = absent.get(key);
    }
    return value == null ? key.unsupported() : value;
  }
}
