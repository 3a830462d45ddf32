package io.lapwing.bench.acceptance;

import java.util.List;
import java.util.OptionalDouble;

/** Clock event reasons as the mask of NVML and DCGM. */
final class EventReasons {

  /** In the order of their bits. */
  private static final List<String> NAMES =
      List.of(
          "gpu_idle",
          "applications_clocks_setting",
          "sw_power_cap",
          "hw_slowdown",
          "sync_boost",
          "sw_thermal_slowdown",
          "hw_thermal_slowdown",
          "hw_power_brake_slowdown",
          "display_clocks_setting");

  private EventReasons() {}

  static OptionalDouble mask(SmiGpu gpu) {
    long mask = 0;
    boolean any = false;
    for (int bit = 0; bit < NAMES.size(); bit++) {
      OptionalDouble active = active(gpu, NAMES.get(bit));
      any |= active.isPresent();
      mask |= active.orElse(0) == 1 ? 1L << bit : 0;
    }
    return any ? OptionalDouble.of((double) mask) : OptionalDouble.empty();
  }

  /** Drivers before 535 call them throttle reasons. */
  private static OptionalDouble active(SmiGpu gpu, String name) {
    OptionalDouble now = gpu.flag("clocks_event_reasons/clocks_event_reason_" + name, "Active");
    return now.isPresent()
        ? now
        : gpu.flag("clocks_throttle_reasons/clocks_throttle_reason_" + name, "Active");
  }
}
