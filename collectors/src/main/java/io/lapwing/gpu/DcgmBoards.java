package io.lapwing.gpu;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * DCGM's values that the sources of GPUs expose.
 *
 * @param activity of whole GPUs
 * @param instances of the MIG instances of those that are divided
 */
public record DcgmBoards(ActivityBoard activity, ActivityBoard instances, DcgmHealthBoard health) {

  /** The times within which a sample and a health check are to be followed by the next. */
  public static DcgmBoards of(Supplier<Duration> activity, Supplier<Duration> health) {
    return new DcgmBoards(
        new ActivityBoard(activity), new ActivityBoard(activity), new DcgmHealthBoard(health));
  }

  /** Without DCGM. */
  public static DcgmBoards off() {
    return of(() -> Duration.ZERO, () -> Duration.ZERO);
  }
}
