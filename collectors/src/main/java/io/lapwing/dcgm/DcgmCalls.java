package io.lapwing.dcgm;

import io.lapwing.collect.Reading;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Turns return codes into {@link Reading}s. */
final class DcgmCalls {

  private DcgmCalls() {}

  static <T> Reading<T> call(String name, IntSupplier function, Supplier<T> value) {
    DcgmReturn answer = answer(function);
    return answer == DcgmReturn.OK ? Reading.of(value.get()) : refused(name, answer);
  }

  /** The reading of a return code other than OK. */
  static <T> Reading<T> refused(String question, DcgmReturn answer) {
    return switch (answer) {
      case NOT_SUPPORTED -> new Reading.Unsupported<>(question);
      case FUNCTION_NOT_FOUND -> new Reading.Missing<>(question);
      default -> new Reading.Failed<>(question, answer.reason());
    };
  }

  /** Treats a missing symbol like a return code of the call. */
  static DcgmReturn answer(IntSupplier function) {
    try {
      return DcgmReturn.of(function.getAsInt());
    } catch (UnsatisfiedLinkError missing) {
      return DcgmReturn.FUNCTION_NOT_FOUND;
    }
  }
}
