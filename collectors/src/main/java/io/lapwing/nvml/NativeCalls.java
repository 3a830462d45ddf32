package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Turns return codes into {@link Reading}s; makes unsupported calls only once. Not thread-safe. */
final class NativeCalls {

  private final Map<String, Reading<?>> absent = new HashMap<>();

  /** Names the call, with its argument if support depends on it, and reads its out-parameters. */
  <T> Reading<T> call(String question, IntSupplier function, Supplier<T> value) {
    Reading<?> known = absent.get(question);
    if (known != null) {
      return retyped(known);
    }
    NvmlReturn answer = answer(function);
    return answer == NvmlReturn.SUCCESS ? Reading.of(value.get()) : refused(question, answer);
  }

  /** The reading of a return code other than success. */
  <T> Reading<T> refused(String question, NvmlReturn answer) {
    if (answer.meansUnsupported()) {
      return remember(question, new Reading.Unsupported<>(question));
    }
    if (answer == NvmlReturn.FUNCTION_NOT_FOUND) {
      return remember(question, new Reading.Missing<>(question));
    }
    return new Reading.Failed<>(question, answer.reason());
  }

  <T> Reading<T> remember(String question, Reading<T> absence) {
    absent.put(question, absence);
    return absence;
  }

  /** The calls that the device supports have changed. */
  void forget() {
    absent.clear();
  }

  void forget(String question) {
    absent.remove(question);
  }

  List<String> absences() {
    List<String> lines = new ArrayList<>();
    absent.forEach(
        (question, reading) ->
            lines.add(
                question
                    + (reading instanceof Reading.Missing
                        ? ": not in this library"
                        : ": not supported")));
    lines.sort(null);
    return lines;
  }

  /** Treats a missing symbol like a return code of the call. */
  private static NvmlReturn answer(IntSupplier function) {
    try {
      return NvmlReturn.of(function.getAsInt());
    } catch (UnsatisfiedLinkError missing) {
      return NvmlReturn.FUNCTION_NOT_FOUND;
    }
  }

  /** An absent reading holds no value and fits any type. */
  @SuppressWarnings("unchecked")
  private static <T> Reading<T> retyped(Reading<?> absence) {
    return (Reading<T>) absence;
  }
}
