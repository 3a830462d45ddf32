package io.lapwing.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlStructs.FieldValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code nvmlDeviceGetFieldValues}: many fields in one call, each with return code and type. */
final class FieldBatch {

  private static final String CALL = "nvmlDeviceGetFieldValues";

  private final NvmlLibrary library;
  private final Pointer device;
  private final Map<FieldKey, Reading<Double>> absent = new HashMap<>();
  private final NativeCalls calls = new NativeCalls();
  private @Nullable Memory memory;

  FieldBatch(NvmlLibrary library, Pointer device) {
    this.library = library;
    this.device = device;
  }

  FieldValues read(Collection<FieldKey> keys) {
    Map<FieldKey, Reading<Double>> answers = new HashMap<>(2 * keys.size());
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
          key, whole instanceof Reading.Present ? answer(key, values, at) : whole.map(ok -> 0.0));
    }
    return whole.failure();
  }

  private Reading<Double> answer(FieldKey key, Memory values, int at) {
    NvmlReturn answer = NvmlReturn.of(values.getInt(at + FieldValue.NVML_RETURN));
    if (answer == NvmlReturn.SUCCESS) {
      return number(key, values, at);
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
  private static Reading<Double> number(FieldKey key, Memory values, int at) {
    int value = at + FieldValue.VALUE;
    return switch (values.getInt(at + FieldValue.VALUE_TYPE)) {
      case 0 -> Reading.of(values.getDouble(value));
      case 1 ->
          values.getInt(value) == -1
              ? new Reading.Failed<>(key.question(), NvmlReturn.INVALID_VALUE)
              : Reading.of((double) Integer.toUnsignedLong(values.getInt(value)));
      case 2, 3 ->
          values.getLong(value) == -1
              ? new Reading.Failed<>(key.question(), NvmlReturn.INVALID_VALUE)
              : Reading.of(unsigned(values.getLong(value)));
      case 4 -> Reading.of((double) values.getLong(value));
      case 5 -> Reading.of((double) values.getInt(value));
      case 6 -> Reading.of((double) Short.toUnsignedInt(values.getShort(value)));
      default -> new Reading.Failed<>(key.question(), "unknown_value_type");
    };
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
