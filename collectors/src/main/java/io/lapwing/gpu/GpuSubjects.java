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
      Predicate<String> wanted,
      Duration window,
      GpuOccupancy occupancy,
      DcgmBoards dcgm,
      FabricDomain domain) {
    return all(window, occupancy, dcgm, domain).stream()
        .filter(subject -> wanted.test(subject.name()))
        .toList();
  }

  /** As the other, but discards the processes, and without DCGM. */
  public static List<GpuSubject> of(Predicate<String> wanted, Duration window) {
    return of(wanted, window, new GpuOccupancy(), DcgmBoards.off(), new FabricDomain());
  }

  private static List<GpuSubject> all(
      Duration window, GpuOccupancy occupancy, DcgmBoards dcgm, FabricDomain domain) {
    return List.of(
        GpuOperation.info(),
        GpuOperation.clocks(),
        GpuOperation.temperature(),
        GpuOperation.power(),
        GpuOperation.utilization(),
        new GpuMig(occupancy.mig()),
        new GpuProfiling(dcgm, occupancy.mig()),
        GpuOperation.memory(occupancy.mig()),
        new GpuThrottle(window),
        GpuOperation.slowdowns(),
        GpuOperation.violations(),
        GpuOperation.limits(),
        GpuErrors.ecc(),
        GpuErrors.eccLocations(),
        GpuErrors.remap(),
        GpuErrors.remapBanks(),
        new GpuInforom(),
        GpuErrors.pcie(),
        GpuErrors.pcieErrors(),
        new GpuNvlink(),
        new GpuNvlinkLinks(),
        new GpuC2c(),
        new GpuFabric(domain),
        new GpuVgpu(),
        GpuErrors.recovery(dcgm.health()),
        occupancy.processes());
  }
}
