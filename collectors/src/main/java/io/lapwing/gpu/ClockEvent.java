package io.lapwing.gpu;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The bits of {@code nvmlDeviceGetCurrentClocksEventReasons}, named as dcgm-exporter names them.
 */
enum ClockEvent {
  GPU_IDLE(0x1),
  CLOCKS_SETTING(0x2),
  POWER_CAP(0x4),
  HW_SLOWDOWN(0x8),
  SYNC_BOOST(0x10),
  SW_THERMAL(0x20),
  HW_THERMAL(0x40),
  HW_POWER_BRAKE(0x80),
  DISPLAY_CLOCKS(0x100);

  private final long bit;
  private final String word;

  ClockEvent(long bit) {
    this.bit = bit;
    this.word = name().toLowerCase(Locale.ROOT);
  }

  boolean in(long mask) {
    return (mask & bit) != 0;
  }

  List<String> label() {
    return List.of(word);
  }

  /** This label, then more. */
  List<String> labelWith(List<String> more) {
    return Stream.concat(Stream.of(word), more.stream()).toList();
  }
}
