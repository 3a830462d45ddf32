package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Reasons that limit the clocks now.
 *
 * <pre>
 * DCGM_FI_DEV_CLOCKS_EVENT_REASONS 4                        nvmlDeviceGetCurrentClocksEventReasons, bit mask
 * lapwing_gpu_clock_event_active{reason="power_cap"} 1      its bits
 * DCGM_EXP_CLOCK_EVENTS_COUNT{clock_event="power_cap"} 12   samples in the window with the bit set
 * DCGM_EXP_CLOCK_EVENTS_TOTAL{clock_event="power_cap"} 3    times that the bit was set and had not been
 * </pre>
 */
final class GpuThrottle extends GpuSubject {

  private static final List<ClockEvent> EVENTS = List.of(ClockEvent.values());

  private final Duration window;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private final Map<ClockEvent, List<String>> labels = new EnumMap<>(ClockEvent.class);
  private final Map<ClockEvent, List<String>> labelsOfWindow = new EnumMap<>(ClockEvent.class);
  private final Map<ClockEvent, Integer> times = new EnumMap<>(ClockEvent.class);
  private final Map<ClockEvent, Long> begun = new EnumMap<>(ClockEvent.class);
  private OptionalLong before = OptionalLong.empty();

  private record Sample(Instant at, long reasons) {}

  /** {@code DCGM_EXP_CLOCK_EVENTS_COUNT} counts over the window. */
  GpuThrottle(Duration window) {
    super("gpu_throttle", "what holds the clocks down", Cadence.FAST, List.of());
    this.window = window;
    String millis = String.valueOf(window.toMillis());
    for (ClockEvent event : EVENTS) {
      labels.put(event, List.of(event.word));
      labelsOfWindow.put(event, List.of(event.word, millis));
    }
  }

  @Override
  void collect(GpuRound round) {
    Reading<Long> reasons = round.gpu().clockEventReasons();
    round.put(DcgmMetrics.CLOCKS_EVENT_REASONS, reasons);
    reasons.toOptional().ifPresent(mask -> reasons(round, mask));
  }

  @Override
  void forget() {
    samples.clear();
    times.clear();
    begun.clear();
    before = OptionalLong.empty();
  }

  private void reasons(GpuRound round, long mask) {
    remember(new Sample(round.now(), mask));
    countBegun(mask);
    for (ClockEvent event : EVENTS) {
      List<String> label = Objects.requireNonNull(labels.get(event));
      round.put(GpuMetrics.CLOCK_EVENT_ACTIVE, label, event.in(mask) ? 1 : 0);
      Integer seen = times.get(event);
      if (seen != null && seen > 0) {
        round.put(
            DcgmMetrics.EXP_CLOCK_EVENTS_COUNT,
            Objects.requireNonNull(labelsOfWindow.get(event)),
            seen);
      }
      Long started = begun.get(event);
      if (started != null) {
        round.put(DcgmMetrics.EXP_CLOCK_EVENTS_TOTAL, label, started);
      }
    }
  }

  /** As dcgm-exporter since 4.8.3: a reason that limits at the first sample has not begun here. */
  private void countBegun(long mask) {
    long since = mask & ~before.orElse(mask);
    before = OptionalLong.of(mask);
    for (ClockEvent event : EVENTS) {
      if (event.in(since)) {
        begun.merge(event, 1L, Long::sum);
      }
    }
  }

  /** Adds the new sample to the counts and removes expired ones. */
  private void remember(Sample sample) {
    samples.addLast(sample);
    count(sample, 1);
    Instant start = sample.at().minus(window);
    while (isOutside(samples.getFirst(), start, sample.at())) {
      count(samples.removeFirst(), -1);
    }
  }

  /** Also what is ahead, after the clock was set back. */
  private static boolean isOutside(Sample sample, Instant start, Instant now) {
    return sample.at().isBefore(start) || sample.at().isAfter(now);
  }

  private void count(Sample sample, int step) {
    for (ClockEvent event : EVENTS) {
      if (event.in(sample.reasons())) {
        times.merge(event, step, Integer::sum);
      }
    }
  }

  /** The bits of the reasons, named as in dcgm-exporter. */
  private enum ClockEvent {
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
  }
}
