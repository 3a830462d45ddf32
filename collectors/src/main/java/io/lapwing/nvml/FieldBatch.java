package io.lapwing.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlStructs.FieldValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code nvmlDeviceGetFieldValues}: many fields in one call, each with return code and type. */
final class FieldBatch {

  private static final String CALL = "nvmlDeviceGetFieldValues";

  private final NvmlLibrary library;
  private final Pointer device;

  /** A device is read with few lists of keys; callers that make new ones do it rarely. */
  private static final int MAX_LISTS = 16;

  /** Entries of one call: a driver answers 461 wrongly ({@link #isDoubtful}), and 45 correctly. */
  private static final int MOST = 48;

  /**
   * In an entry before the call. No {@code nvmlValueType_t}: the driver left the entry as it was.
   */
  private static final int NO_TYPE = -1;

  /** In every such read of a list one key that was 0 is read alone again. */
  private static final int RECHECK = 8;

  private static final String NO_SUCH_FIELD = NvmlReturn.INVALID_ARGUMENT.reason();

  /** Replaced, never cleared: values that were read have it. */
  private Map<FieldKey, Reading<Double>> absent = new HashMap<>();

  /** Keys whose answer differs when they are read together with others. */
  private final Set<FieldKey> single = new HashSet<>();

  /** By the identity of the keys: hundreds of entries, which are the same in each read. */
  private final IdentityHashMap<Collection<FieldKey>, Map<FieldKey, Reading<Double>>> lists =
      new IdentityHashMap<>();

  /** How often each list was read. */
  private final IdentityHashMap<Collection<FieldKey>, Integer> reads = new IdentityHashMap<>();

  private final NativeCalls calls = new NativeCalls();
  private final Room room;

  FieldBatch(NvmlLibrary library, Pointer device, Room room) {
    this.library = library;
    this.device = device;
    this.room = room;
  }

  /**
   * The values are valid until the same keys, the identical object, are read again. Keys that are
   * sorted by id are read together with their neighbours.
   */
  FieldValues read(Collection<FieldKey> keys) {
    if (lists.size() > MAX_LISTS) {
      lists.clear();
      reads.clear();
    }
    Map<FieldKey, Reading<Double>> answers = lists.computeIfAbsent(keys, unseen -> new HashMap<>());
    List<FieldKey> together = new ArrayList<>(keys.size());
    List<FieldKey> alone = new ArrayList<>();
    for (FieldKey key : keys) {
      Reading<Double> known = absent.get(key);
      if (known == null) {
        (single.contains(key) ? alone : together).add(key);
      } else {
        answers.remove(key);
      }
    }
    List<FieldKey> doubtful = new ArrayList<>();
    Optional<String> failure = Optional.empty();
    for (int from = 0; from < together.size() && failure.isEmpty(); from += MOST) {
      int to = Math.min(from + MOST, together.size());
      failure = ask(together.subList(from, to), answers, doubtful);
    }
    for (int i = 0; i < alone.size() && failure.isEmpty(); i++) {
      failure = ask(alone.subList(i, i + 1), answers, doubtful);
    }
    if (failure.isPresent()) {
      Reading<Double> failed = new Reading.Failed<>(CALL, failure.get());
      keys.stream()
          .filter(key -> !absent.containsKey(key))
          .forEach(key -> answers.put(key, failed));
    } else {
      recheck(reads.merge(keys, 1, Integer::sum), together, answers, doubtful);
      askAgain(doubtful, answers);
    }
    return new FieldValues(answers, absent, failure);
  }

  /**
   * Adds the next key that is 0: its 0 was confirmed by a read alone, but the driver may leave the
   * entry at 0 after the value has changed.
   */
  private static void recheck(
      int read,
      List<FieldKey> together,
      Map<FieldKey, Reading<Double>> answers,
      List<FieldKey> doubtful) {
    if (read % RECHECK != 0 || together.size() < 2) {
      return;
    }
    List<FieldKey> zeros =
        together.stream()
            .filter(
                key -> answers.get(key) instanceof Reading.Present<Double> one && one.value() == 0)
            .filter(key -> !doubtful.contains(key))
            .toList();
    if (!zeros.isEmpty()) {
      doubtful.add(zeros.get(read / RECHECK % zeros.size()));
    }
  }

  /**
   * Reads keys alone that were read with others. The list was answered, so a call that fails now
   * may fail because of its key: it fails this key and those after it, which the next round reads
   * again.
   */
  private void askAgain(List<FieldKey> doubtful, Map<FieldKey, Reading<Double>> answers) {
    Optional<String> failure = Optional.empty();
    for (FieldKey key : doubtful) {
      if (failure.isPresent()) {
        answers.put(key, new Reading.Failed<>(CALL, failure.get()));
      } else {
        failure = askAgain(key, answers);
      }
    }
  }

  /** Returns why the driver does not answer. An unknown field counts as an answer. */
  private Optional<String> askAgain(FieldKey key, Map<FieldKey, Reading<Double>> answers) {
    Reading<Double> amongOthers = answers.get(key);
    Optional<String> failure = ask(List.of(key), answers, new ArrayList<>());
    if (failure.filter(NO_SUCH_FIELD::equals).isPresent()) {
      absent.put(key, new Reading.Missing<>(key.question()));
      answers.put(key, new Reading.Missing<>(key.question()));
      return Optional.empty();
    }
    Reading<Double> alone = answers.get(key);
    if (alone instanceof Reading.Present && !alone.equals(amongOthers)) {
      single.add(key);
    }
    return failure;
  }

  /** One call; adds the keys that have to be read alone. */
  private Optional<String> ask(
      List<FieldKey> asked, Map<FieldKey, Reading<Double>> answers, List<FieldKey> doubtful) {
    Memory values = room.of((long) asked.size() * FieldValue.SIZE);
    for (int i = 0; i < asked.size(); i++) {
      long at = (long) i * FieldValue.SIZE;
      values.setInt(at + FieldValue.FIELD_ID, asked.get(i).field().id());
      values.setInt(at + FieldValue.SCOPE_ID, asked.get(i).scope());
      values.setInt(at + FieldValue.VALUE_TYPE, NO_TYPE);
    }
    Reading<Boolean> whole =
        calls.call(
            CALL, () -> library.nvmlDeviceGetFieldValues(device, asked.size(), values), () -> true);
    if (whole instanceof Reading.Unsupported) {
      calls.forget(CALL); // It concerns these fields: none of them has a value.
    }
    for (int i = 0; i < asked.size(); i++) {
      FieldKey key = asked.get(i);
      Reading<Double> before = answers.get(key);
      Reading<Double> now =
          whole instanceof Reading.Present
              ? answer(key, values, i * FieldValue.SIZE, before)
              : whole.map(ok -> 0.0);
      answers.put(key, now);
      if (asked.size() > 1 && isDoubtful(now, before)) {
        doubtful.add(key);
      } else if (isAbsent(now)) {
        absent.put(key, now);
      }
    }
    return whole.failure();
  }

  /**
   * A real driver (580.159.04, H100) reported fields in a long list as not supported, or left their
   * entry at 0, but returned the value of each that was read alone.
   */
  private static boolean isDoubtful(Reading<Double> now, @Nullable Reading<Double> before) {
    return now instanceof Reading.Present<Double> present
        ? present.value() == 0 && !present.equals(before)
        : isAbsent(now);
  }

  private static boolean isAbsent(Reading<Double> reading) {
    return !(reading instanceof Reading.Present) && reading.failure().isEmpty();
  }

  private static Reading<Double> answer(
      FieldKey key, Memory values, int at, @Nullable Reading<Double> before) {
    NvmlReturn answer = NvmlReturn.of(values.getInt(at + FieldValue.NVML_RETURN));
    if (answer == NvmlReturn.SUCCESS) {
      return number(key, values, at, before);
    }
    // A driver that predates the field returns INVALID_ARGUMENT for it.
    if (answer == NvmlReturn.INVALID_ARGUMENT || answer == NvmlReturn.FUNCTION_NOT_FOUND) {
      return new Reading.Missing<>(key.question());
    }
    if (answer.meansUnsupported()) {
      return key.unsupported();
    }
    return new Reading.Failed<>(key.question(), answer.reason());
  }

  /** Reads the union member that {@code nvmlValueType_t} selects. */
  private static Reading<Double> number(
      FieldKey key, Memory values, int at, @Nullable Reading<Double> before) {
    int value = at + FieldValue.VALUE;
    return switch (values.getInt(at + FieldValue.VALUE_TYPE)) {
      case NO_TYPE -> key.unsupported();
      case 0 -> Reading.of(values.getDouble(value), before);
      case 1 ->
          values.getInt(value) == -1
              ? new Reading.Failed<>(key.question(), NvmlReturn.INVALID_VALUE)
              : Reading.of((double) Integer.toUnsignedLong(values.getInt(value)), before);
      case 2, 3 ->
          values.getLong(value) == -1
              ? new Reading.Failed<>(key.question(), NvmlReturn.INVALID_VALUE)
              : Reading.of(unsigned(values.getLong(value)), before);
      case 4 -> Reading.of((double) values.getLong(value), before);
      case 5 -> Reading.of(values.getInt(value), before);
      case 6 -> Reading.of(Short.toUnsignedInt(values.getShort(value)), before);
      default -> new Reading.Failed<>(key.question(), "unknown_value_type");
    };
  }

  static double unsigned(long bits) {
    return bits >= 0 ? bits : (bits >>> 1) * 2.0;
  }

  /** The calls that the device supports have changed. */
  void forget() {
    absent = new HashMap<>();
    single.clear();
    lists.clear();
    reads.clear();
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
