package io.lapwing.gpu;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Every subject of a GPU, in page order. */
public final class GpuSubjects {

  private GpuSubjects() {}

  /**
   * New subjects for one GPU, since some keep state; {@code DCGM_EXP_CLOCK_EVENTS_COUNT} counts
   * over the window.
   */
  public static List<GpuSubject> of(
      Predicate<String> wanted, Duration window, GpuOccupancy occupancy) {
    return all(window, occupancy).stream().filter(subject -> wanted.test(subject.name())).toList();
  }

  /** As {@link #of(Predicate, Duration, GpuOccupancy)}, but discards the processes. */
  public static List<GpuSubject> of(Predicate<String> wanted, Duration window) {
    return of(wanted, window, new GpuOccupancy());
  }

  private static List<GpuSubject> all(Duration window, GpuOccupancy occupancy) {
    return List.of(
        GpuOperation.info(),
        GpuOperation.clocks(),
        GpuOperation.temperature(),
        GpuOperation.power(),
        GpuOperation.utilization(),
        new GpuProfiling(),
        GpuOperation.memory(),
        new GpuThrottle(window),
        GpuOperation.violations(),
        GpuOperation.limits(),
        GpuErrors.ecc(),
        GpuErrors.eccLocations(),
        GpuErrors.remap(),
        GpuErrors.remapBanks(),
        new GpuInforom(),
        GpuErrors.pcie(),
        new GpuNvlink(),
        new GpuNvlinkLinks(),
        new GpuFabric(),
        GpuErrors.recovery(),
        occupancy.processes());
  }
}
