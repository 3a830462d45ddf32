package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A scripted GPU: calls that the script does not name are unsupported. Calls are named for the
 * method of {@link NvmlGpu} and its arguments: {@code "temperature"}, {@code "clock SM"}, {@code
 * "memoryErrors CORRECTED VOLATILE DRAM"}.
 */
public final class FakeGpu {

  private final Map<String, Reading<?>> answers = new ConcurrentHashMap<>();
  private final Map<FieldKey, Reading<Double>> fields = new ConcurrentHashMap<>();
  private final Map<String, Integer> calls = new ConcurrentHashMap<>();
  private volatile Optional<String> failure = Optional.empty();
  private volatile IntPredicate lostAt = batch -> false;

  FakeGpu(String uuid) {
    answer("uuid", uuid);
    answer("name", "NVIDIA Fake");
  }

  public FakeGpu answer(String call, Object value) {
    return reading(call, Reading.of(value));
  }

  public FakeGpu reading(String call, Reading<?> reading) {
    answers.put(call, reading);
    return this;
  }

  public FakeGpu field(FieldKey key, double value) {
    return field(key, Reading.of(value));
  }

  public FakeGpu field(FieldKey key, Reading<Double> reading) {
    fields.put(key, reading);
    return this;
  }

  /** Every call fails from now on. */
  public FakeGpu fails(String reason) {
    failure = Optional.of(reason);
    return this;
  }

  /** The opposite of {@link #fails}. */
  public FakeGpu recover() {
    failure = Optional.empty();
    return this;
  }

  /** It answers so many batches, and is lost from then on. */
  public FakeGpu lostAfter(int batches) {
    lostAt = batch -> batch > batches;
    return this;
  }

  /** How often a method was called. */
  public int calls(String method) {
    return calls.getOrDefault(method, 0);
  }

  Optional<String> failure() {
    return failure;
  }

  void called(String method) {
    calls.merge(method, 1, Integer::sum);
    if (method.equals("fields") && lostAt.test(calls("fields"))) {
      fails("gpu_is_lost");
    }
  }

  Reading<?> answer(String call) {
    Reading<?> scripted = answers.get(call);
    return scripted == null ? new Reading.Unsupported<>(call) : scripted;
  }

  FieldValues values(Collection<FieldKey> keys, @Nullable String failed) {
    Map<FieldKey, Reading<Double>> values = new HashMap<>();
    for (FieldKey key : keys) {
      Reading<Double> scripted = fields.get(key);
      values.put(
          key,
          failed != null
              ? new Reading.Failed<>("nvmlDeviceGetFieldValues", failed)
              : scripted == null ? new Reading.Unsupported<>(key.question()) : scripted);
    }
    return new FieldValues(values, keys.isEmpty() ? Optional.empty() : Optional.ofNullable(failed));
  }

  List<String> absences() {
    return List.of();
  }
}
