package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Turns a return code into a {@link Reading}, and remembers what is not there so that the driver is
 * asked once. Serves one thread.
 */
final class NativeCalls {

  private final Map<String, Reading<?>> absent = new HashMap<>();

  /**
   * @param question names the call, and its argument where the answer hangs on it
   * @param value reads the out-parameters after a success
   */
  <T> Reading<T> call(String question, IntSupplier function, Supplier<T> value) {
    Reading<?> known = absent.get(question);
    if (known != null) {
      return retyped(known);
    }
    NvmlReturn answer = answer(function);
    return answer == NvmlReturn.SUCCESS ? Reading.of(value.get()) : refused(question, answer);
  }

  /** What a return code other than success means for a question. */
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

  boolean knownAbsent(String question) {
    return absent.containsKey(question);
  }

  /** Each thing that is not there, with the reason. */
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

  /** A symbol that is not in the library is one call's answer, as if the library had given it. */
  private static NvmlReturn answer(IntSupplier function) {
    try {
      return NvmlReturn.of(function.getAsInt());
    } catch (UnsatisfiedLinkError missing) {
      return NvmlReturn.FUNCTION_NOT_FOUND;
    }
  }

  /** An absence holds no value, so it is one of any type. */
  @SuppressWarnings("unchecked")
  private static <T> Reading<T> retyped(Reading<?> absence) {
    return (Reading<T>) absence;
  }
}
