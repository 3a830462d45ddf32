package io.lapwing.collect;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One value read from a device or a file. Absence is one of three types, never a number. */
public sealed interface Reading<T> {

  record Present<T>(T value) implements Reading<T> {}

  /** The device does not support the value; permanent until the driver is reloaded. */
  record Unsupported<T>(String question) implements Reading<T> {}

  /** The loaded library has no such function; a newer driver may have it. */
  record Missing<T>(String question) implements Reading<T> {}

  /** Names the C function or file; the reason is a label value, such as {@code gpu_is_lost}. */
  record Failed<T>(String question, String reason) implements Reading<T> {}

  static <T> Reading<T> of(T value) {
    return new Present<>(value);
  }

  /** The reading before where it has the same number: most numbers do not change. */
  static Reading<Double> of(double number, @Nullable Reading<Double> before) {
    return before instanceof Present<Double> present && Double.compare(present.value(), number) == 0
        ? before
        : of(number);
  }

  default Optional<T> toOptional() {
    return this instanceof Present<T> present ? Optional.of(present.value()) : Optional.empty();
  }

  /** The reason of a failure; empty for a value and for an unsupported one. */
  default Optional<String> failure() {
    return this instanceof Failed<T> failed ? Optional.of(failed.reason()) : Optional.empty();
  }

  default <R> Reading<R> map(Function<? super T, ? extends R> change) {
    return this instanceof Present<T> present
        ? new Present<>(change.apply(present.value()))
        : absent();
  }

  /** As {@link #map}, where the change may itself give no value. */
  default <R> Reading<R> flatMap(Function<? super T, Reading<R>> change) {
    return this instanceof Present<T> present ? change.apply(present.value()) : absent();
  }

  /** The other reading if this one is unsupported or missing; a failure stays a failure. */
  default Reading<T> or(Supplier<Reading<T>> other) {
    return this instanceof Unsupported || this instanceof Missing ? other.get() : this;
  }

  /** An absent reading is equally absent for any type of value. */
  @SuppressWarnings("unchecked")
  private <R> Reading<R> absent() {
    return (Reading<R>) this;
  }
}
