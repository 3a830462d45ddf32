package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlReturn;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Lines of the simulator's state, as {@code tools/simulator/README.md} describes them, what could
 * not be written as one, and what was not recorded at all.
 */
final class StateLines {

  private static final int FUNCTION_NOT_FOUND = NvmlReturn.FUNCTION_NOT_FOUND.code();

  /** A number that the GPU did not deliver has all bits set. */
  private static final String INVALID_VALUE = "invalid_value";

  private static final String ALL_BITS = "4294967295";

  private final Map<String, String> lines = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private final List<String> parts = new ArrayList<>();
  private final List<String> absent = new ArrayList<>();

  void put(String key, String value) {
    String line = value.replaceAll("[\\n\\r#]", "_");
    lines.put(key, line);
  }

  /** Reports an answer in which the simulator will differ. */
  void note(String what) {
    if (!notes.contains(what)) {
      notes.add(what);
    }
  }

  List<String> notes() {
    return List.copyOf(notes);
  }

  /** Reports what a recording has beside the answers of NVML. */
  void has(String part) {
    parts.add(part);
  }

  List<String> parts() {
    return List.copyOf(parts);
  }

  /** Reports what is not in the recording, and why. */
  void absent(String what, String why) {
    String line = what + ": " + why;
    if (!absent.contains(line)) {
      absent.add(line);
    }
  }

  List<String> absent() {
    return List.copyOf(absent);
  }

  String get(String key) {
    return lines.getOrDefault(key, "");
  }

  /** Takes what another thread has collected. */
  void addAll(StateLines others) {
    lines.putAll(others.lines);
    others.notes.forEach(this::note);
    parts.addAll(others.parts);
    absent.addAll(others.absent);
  }

  /** The answer of a call that has one value, which is a quantity or text of the state. */
  <T> void answer(
      String gpu, String key, String call, Reading<T> reading, Function<T, String> text) {
    if (reading instanceof Reading.Present<T> present) {
      put(gpu + key, text.apply(present.value()));
    } else if (reading instanceof Reading.Unsupported) {
      put(gpu + key, "unsupported");
    } else if (reading.failure().filter(INVALID_VALUE::equals).isPresent()) {
      put(gpu + key, ALL_BITS);
    } else {
      put(gpu + "return." + call, String.valueOf(code(reading)));
    }
  }

  /** The answer of a call that is asked with several arguments: a failure of one is none of all. */
  <T> void answerOfMany(String gpu, String key, Reading<T> reading, Function<T, String> text) {
    if (reading instanceof Reading.Present<T> present) {
      put(gpu + key, text.apply(present.value()));
      return;
    }
    put(gpu + key, "unsupported");
    reading
        .failure()
        .ifPresent(reason -> note(gpu + key + " failed with " + reason + ": is unsupported here"));
  }

  /** The return code that a reading without a value stands for. */
  static int code(Reading<?> reading) {
    if (reading instanceof Reading.Unsupported) {
      return NvmlReturn.NOT_SUPPORTED.code();
    }
    return reading.failure().map(StateLines::code).orElse(FUNCTION_NOT_FOUND);
  }

  private static int code(String reason) {
    return Arrays.stream(NvmlReturn.values())
        .filter(code -> code.reason().equals(reason))
        .mapToInt(NvmlReturn::code)
        .findFirst()
        .orElse(NvmlReturn.UNKNOWN.code());
  }

  /** All digits, without an exponent. */
  static String number(double value) {
    return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
  }

  static String thousandth(int milli) {
    return BigDecimal.valueOf(Integer.toUnsignedLong(milli), 3)
        .stripTrailingZeros()
        .toPlainString();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> text.append("# recorded: ").append(part).append('\n'));
    absent.forEach(what -> text.append("# not recorded: ").append(what).append('\n'));
    notes.forEach(note -> text.append("# differs: ").append(note).append('\n'));
    lines.forEach((key, value) -> text.append(key).append(" = ").append(value).append('\n'));
    return text.toString();
  }
}
