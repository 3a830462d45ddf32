package io.lapwing.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlStructs.FieldValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code nvmlDeviceGetFieldValues}: many fields in one call, each with return code and type. */
final class FieldBatch {

  private static final String CALL = "nvmlDeviceGetFieldValues";

  private final NvmlLibrary library;
  private final Pointer device;

  /** A device is read with few lists of keys; callers that make new ones do it rarely. */
  private static final int MAX_LISTS = 16;

  private final Map<FieldKey, Reading<Double>> absent = new HashMap<>();

  /** By the identity of the keys: hundreds of entries, which are the same in each read. */
  private final IdentityHashMap<Collection<FieldKey>, Map<FieldKey, Reading<Double>>> lists =
      new IdentityHashMap<>();

  private final NativeCalls calls = new NativeCalls();
  private @Nullable Memory memory;

  FieldBatch(NvmlLibrary library, Pointer device) {
    this.library = library;
    this.device = device;
  }

  /** The values are valid until the same keys, the identical object, are read again. */
  FieldValues read(Collection<FieldKey> keys) {
    if (lists.size() > MAX_LISTS) {
      lists.clear();
    }
    Map<FieldKey, Reading<Double>> answers =
        lists.computeIfAbsent(keys, unseen -> new HashMap<>(2 * keys.size()));
    List<FieldKey> asked = new ArrayList<>(keys.size());
    for (FieldKey key : keys) {
      Reading<Double> known = absent.get(key);
      if (known == null) {
        asked.add(key);
      } else {
        answers.put(key, known);
      }
    }
    Optional<String> failure = asked.isEmpty() ? Optional.empty() : ask(asked, answers);
    return new FieldValues(answers, failure);
  }

  private Optional<String> ask(List<FieldKey> asked, Map<FieldKey, Reading<Double>> answers) {
    Memory values = room(asked.size());
    for (int i = 0; i < asked.size(); i++) {
      long at = (long) i * FieldValue.SIZE;
      values.setInt(at + FieldValue.FIELD_ID, asked.get(i).field().id());
      values.setInt(at + FieldValue.SCOPE_ID, asked.get(i).scope());
    }
    Reading<Boolean> whole =
        calls.call(
            CALL, () -> library.nvmlDeviceGetFieldValues(device, asked.size(), values), () -> true);
    for (int i = 0; i < asked.size(); i++) {
      FieldKey key = asked.get(i);
      int at = i * FieldValue.SIZE;
      answers.put(
          key,
          whole instanceof Reading.Present
              ? answer(key, values, at, answers.get(key))
              : whole.map(ok -> 0.0));
    }
    return whole.failure();
  }

  private Reading<Double> answer(
      FieldKey key, Memory values, int at, @Nullable Reading<Double> before) {
    NvmlReturn answer = NvmlReturn.of(values.getInt(at + FieldValue.NVML_RETURN));
    if (answer == NvmlReturn.SUCCESS) {
      return number(key, values, at, before);
    }
    // A driver that predates the field returns INVALID_ARGUMENT for it.
    if (answer == NvmlReturn.INVALID_ARGUMENT || answer == NvmlReturn.FUNCTION_NOT_FOUND) {
      return remember(key, new Reading.Missing<>(key.question()));
    }
    if (answer.meansUnsupported()) {
      return remember(key, new Reading.Unsupported<>(key.question()));
    }
    return new Reading.Failed<>(key.question(), answer.reason());
  }

  private Reading<Double> remember(FieldKey key, Reading<Double> absence) {
    absent.put(key, absence);
    return absence;
  }

  /** Reads the union member that {@code nvmlValueType_t} selects. */
  private static Reading<Double> number(
      FieldKey key, Memory values, int at, @Nullable Reading<Double> before) {
    int value = at + FieldValue.VALUE;
    return switch (values.getInt(at + FieldValue.VALUE_TYPE)) {
      case 0 -> same(values.getDouble(value), before);
      case 1 ->
          values.getInt(value) == -1
              ? new Reading.Failed<>(key.question(), NvmlReturn.INVALID_VALUE)
              : same((double) Integer.toUnsignedLong(values.getInt(value)), before);
      case 2, 3 ->
          values.getLong(value) == -1
              ? new Reading.Failed<>(key.question(), NvmlReturn.INVALID_VALUE)
              : same(unsigned(values.getLong(value)), before);
      case 4 -> same((double) values.getLong(value), before);
      case 5 -> same(values.getInt(value), before);
      case 6 -> same(Short.toUnsignedInt(values.getShort(value)), before);
      default -> new Reading.Failed<>(key.question(), "unknown_value_type");
    };
  }

  /** The reading before where it has the same number: most do not change. */
  private static Reading<Double> same(double number, @Nullable Reading<Double> before) {
    return before instanceof Reading.Present<Double> present
            && Double.compare(present.value(), number) == 0
        ? before
        : Reading.of(number);
  }

  static double unsigned(long bits) {
    return bits >= 0 ? bits : (bits >>> 1) * 2.0;
  }

  private Memory room(int count) {
    long bytes = (long) count * FieldValue.SIZE;
    Memory room = memory;
    if (room == null || room.size() < bytes) {
      room = new Memory(bytes);
      memory = room;
    }
    room.clear(bytes);
    return room;
  }

  /** What the device supports has changed. */
  void forget() {
    absent.clear();
    calls.forget();
  }

  List<String> absences() {
    List<String> lines = new ArrayList<>();
    absent.forEach(
        (key, reading) ->
            lines.add(
                key.question()
                    + " ("
                    + key.field()
                    + ")"
                    + (reading instanceof Reading.Missing
                        ? ": not in this library"
                        : ": not supported")));
    return lines;
  }
}
