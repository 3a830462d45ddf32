package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.Nvml;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Loads NVML, and where it failed not again before some time has passed: a node without GPUs would
 * repeat the search forever. Used by one thread.
 */
public final class LibrarySearch implements Supplier<Reading<Nvml>> {

  private final Supplier<Reading<Nvml>> load;
  private final LongSupplier nanoTime;
  private final Duration pause;
  private @Nullable Reading<Nvml> failed;
  private long failedAt;

  public LibrarySearch(Supplier<Reading<Nvml>> load, LongSupplier nanoTime, Duration pause) {
    this.load = load;
    this.nanoTime = nanoTime;
    this.pause = pause;
  }

  @Override
  public Reading<Nvml> get() {
    Reading<Nvml> before = failed;
    if (before != null && nanoTime.getAsLong() - failedAt < pause.toNanos()) {
      return before;
    }
    Reading<Nvml> found = load.get();
    failed = found instanceof Reading.Failed ? found : null;
    failedAt = nanoTime.getAsLong();
    return found;
  }
}
