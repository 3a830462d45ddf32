package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.Map;
import java.util.Optional;

/** The answers of one {@code nvmlDeviceGetFieldValues}: one moment of one device. */
public final class FieldValues {

  public static final FieldValues NONE = new FieldValues(Map.of());

  private final Optional<String> failure;

  private final Map<FieldKey, Reading<Double>> values;

  public FieldValues(Map<FieldKey, Reading<Double>> values) {
    this(values, Optional.empty());
  }

  /**
   * Answers of a call that may have failed as a whole. The map is kept, not copied.
   *
   * @param failure why the call failed as a whole; then every field that was asked for failed
   */
  public FieldValues(Map<FieldKey, Reading<Double>> values, Optional<String> failure) {
    this.values = values;
    this.failure = failure;
  }

  /** Why the call failed as a whole: the device does not answer. */
  public Optional<String> failure() {
    return failure;
  }

  /** The answer; a field that was not asked for is {@link Reading.Unsupported}. */
  public Reading<Double> get(FieldKey key) {
    Reading<Double> value = values.get(key);
    return value == null ? new Reading.Unsupported<>(key.question()) : value;
  }
}
