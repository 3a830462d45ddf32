package io.lapwing.dcgm;

import io.lapwing.collect.Reading;
import java.util.Optional;
import java.util.function.Supplier;

/** DCGM's library for all its users: loaded when the first needs it, and once. Thread-safe. */
public final class LoadedDcgm implements Supplier<Reading<Dcgm>> {

  private final Supplier<Reading<Dcgm>> library;
  private Optional<Dcgm> loaded = Optional.empty();

  /** {@code library} is called until it succeeds. */
  public LoadedDcgm(Supplier<Reading<Dcgm>> library) {
    this.library = library;
  }

  @Override
  public synchronized Reading<Dcgm> get() {
    if (loaded.isPresent()) {
      return Reading.of(loaded.get());
    }
    Reading<Dcgm> found = library.get();
    loaded = found.toOptional();
    return found;
  }
}
