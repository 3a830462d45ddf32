package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;

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

  private final Duration window;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private final List<Counts> counts;
  private OptionalLong before = OptionalLong.empty();

  private record Sample(Instant at, long reasons) {}

  /** {@code DCGM_EXP_CLOCK_EVENTS_COUNT} counts over the window. */
  GpuThrottle(Duration window) {
    super("gpu_throttle", "what holds the clocks down", Cadence.FAST, List.of());
    this.window = window;
    String millis = String.valueOf(window.toMillis());
    counts = Stream.of(ClockEvent.values()).map(event -> new Counts(event, millis)).toList();
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
    counts.forEach(Counts::clear);
    before = OptionalLong.empty();
  }

  private void reasons(GpuRound round, long mask) {
    remember(new Sample(round.now(), mask));
    countBegun(mask);
    for (Counts counted : counts) {
      round.put(GpuMetrics.CLOCK_EVENT_ACTIVE, counted.labels, counted.event.in(mask) ? 1 : 0);
      if (counted.inWindow > 0) {
        round.put(DcgmMetrics.EXP_CLOCK_EVENTS_COUNT, counted.labelsOfWindow, counted.inWindow);
      }
      round.put(DcgmMetrics.EXP_CLOCK_EVENTS_TOTAL, counted.labels, (double) counted.begun);
    }
  }

  /**
   * As dcgm-exporter since 4.8.3: a reason that limits at the first sample has not begun here. Its
   * series begin with the first event, Lapwing's at 0, so that {@code increase()} sees the first.
   */
  private void countBegun(long mask) {
    long since = mask & ~before.orElse(mask);
    before = OptionalLong.of(mask);
    for (Counts counted : counts) {
      if (counted.event.in(since)) {
        counted.begun++;
      }
    }
  }

  /** Adds the new sample to the counts and removes expired ones. */
  private void remember(Sample sample) {
    while (!samples.isEmpty() && samples.getLast().at().isAfter(sample.at())) {
      count(samples.removeLast(), -1); // The clock was set back.
    }
    samples.addLast(sample);
    count(sample, 1);
    Instant start = sample.at().minus(window);
    while (samples.getFirst().at().isBefore(start)) {
      count(samples.removeFirst(), -1);
    }
  }

  private void count(Sample sample, int step) {
    for (Counts counted : counts) {
      if (counted.event.in(sample.reasons())) {
        counted.inWindow += step;
      }
    }
  }

  /** Of one reason: its samples in the window, and how often it began to limit. */
  private static final class Counts {

    private final ClockEvent event;
    private final List<String> labels;
    private final List<String> labelsOfWindow;
    private int inWindow;
    private long begun;

    Counts(ClockEvent event, String windowMillis) {
      this.event = event;
      labels = List.of(event.word);
      labelsOfWindow = List.of(event.word, windowMillis);
    }

    void clear() {
      inWindow = 0;
      begun = 0;
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
