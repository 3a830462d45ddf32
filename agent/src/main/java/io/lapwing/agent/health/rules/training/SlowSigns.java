package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.LoadClock;
import io.lapwing.agent.health.Median;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.rules.gpu.PcieLanes;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Evidence, apart from the rank's own times, that a slow rank's GPU or process is slow and not its
 * share of the work larger. Conditions of the whole node (EFA, Lustre, pressure) explain no single
 * rank and are not used.
 */
final class SlowSigns {

  private static final Set<String> THROTTLED =
      Set.of("hw_slowdown", "hw_thermal", "hw_power_brake", "sw_thermal");

  /** XIDs of a failing program, which do not indicate a fault of the GPU. */
  private static final Set<Integer> OF_PROGRAMS = Set.of(13, 31, 43, 45);

  private static final double LOW_CLOCK = 0.95;
  private static final Duration RECENT = Duration.ofHours(1);

  /** In ten minutes: as of the rules pcie_link and nvlink_errors. */
  private static final double PCIE_REPLAYS = 320;

  private static final double NVLINK_ERRORS = 10;

  /** Of the time, as for the cause host of lost time. */
  private static final double DELAYED = 0.1;

  /** Of the excess for which a delay accounts, and of a delay that its siblings have too. */
  private static final double HALF = 0.5;

  private static final String GPU_IS_SLOW = "All other ranks wait for it, and its GPU is slow: %s.";
  private static final String PROCESS_IS_SLOW =
      "All other ranks wait for it, and its process %s: look for other programs on its CPUs.";

  static final List<Metric> READS =
      List.of(
          GpuMetrics.CLOCK_EVENT_ACTIVE,
          DcgmMetrics.SM_CLOCK,
          DcgmMetrics.PCIE_LINK_WIDTH,
          DcgmMetrics.PCIE_MAX_LINK_WIDTH,
          GpuMetrics.NVSWITCH_LINKS);

  static final List<Metric> OF_GPUS =
      List.of(
          DcgmMetrics.PCIE_REPLAY_COUNTER,
          DcgmMetrics.NVLINK_ERROR_DL_REPLAY,
          DcgmMetrics.NVLINK_REPLAY_ERROR_COUNT_TOTAL,
          DcgmMetrics.NVLINK_ERROR_DL_RECOVERY,
          DcgmMetrics.NVLINK_RECOVERY_ERROR_COUNT_TOTAL);

  static final List<Metric> OF_RANKS = List.of(TrainingMetrics.RUN_DELAY_SECONDS);

  private final NodeSnapshot view;

  SlowSigns(NodeSnapshot view) {
    this.view = view;
  }

  /**
   * A detection in the form that the signs justify: the hardware is suspected only with one of its
   * own.
   *
   * @param times how many times as long as its siblings the rank works
   * @param siblings the GPUs of the job's ranks here, its own among them
   * @param rank the key of the part of its step file; empty without one
   */
  Detection judge(
      Detection slow,
      double times,
      Optional<GpuStatus> gpu,
      Collection<GpuStatus> siblings,
      Optional<String> rank,
      String otherwise) {
    Optional<String> hardware =
        gpu.filter(GpuStatus::answers).flatMap(own -> gpu(own, times, siblings));
    if (hardware.isPresent()) {
      return slow.withDisposition(slow.disposition(), GPU_IS_SLOW.formatted(hardware.get()));
    }
    return slow.withForm(
        Disposition.EXTERNAL,
        rank.flatMap(own -> process(own, times)).map(PROCESS_IS_SLOW::formatted).orElse(otherwise));
  }

  private Optional<String> gpu(GpuStatus own, double times, Collection<GpuStatus> siblings) {
    if (isThrottled(own)) {
      return Optional.of("its clocks are throttled");
    }
    if (hasLowClock(own, times, siblings)) {
      return Optional.of("its clock is lower than that of its siblings");
    }
    if (hasNarrowLink(own)) {
      return Optional.of("its PCIe link has fewer lanes than it could have");
    }
    if (grown(own, DcgmMetrics.PCIE_REPLAY_COUNTER) >= PCIE_REPLAYS) {
      return Optional.of("its PCIe link repeats transfers");
    }
    if (OF_GPUS.stream().skip(1).anyMatch(counter -> grown(own, counter) >= NVLINK_ERRORS)) {
      return Optional.of("its NVLinks had errors in the last 10 minutes");
    }
    Instant recent = view.now().minus(RECENT);
    return view.history().events().stream().anyMatch(event -> isFault(event, own.uuid(), recent))
        ? Optional.of("it had memory errors or XIDs in the last hour")
        : Optional.empty();
  }

  private static boolean isThrottled(GpuStatus gpu) {
    return THROTTLED.stream()
        .anyMatch(reason -> gpu.values().isSet(GpuMetrics.CLOCK_EVENT_ACTIVE, reason));
  }

  private static boolean hasLowClock(GpuStatus own, double times, Collection<GpuStatus> siblings) {
    double[] clocks =
        siblings.stream()
            .flatMapToDouble(gpu -> gpu.values().get(DcgmMetrics.SM_CLOCK).stream())
            .sorted()
            .toArray();
    double clock = own.values().get(DcgmMetrics.SM_CLOCK).orElse(Double.NaN);
    return clocks.length > 2
        && clock < LOW_CLOCK * Median.of(clocks)
        && LoadClock.accountsFor(clock, Median.of(clocks), times)
        && !LoadClock.explains(own, siblings);
  }

  private boolean hasNarrowLink(GpuStatus own) {
    return own.values().get(DcgmMetrics.PCIE_LINK_WIDTH).orElse(Double.NaN)
        < PcieLanes.of(own, view).orElse(Double.NaN);
  }

  private double grown(GpuStatus gpu, Metric counter) {
    return view.trends().recent(gpu.key(), counter);
  }

  private static boolean isFault(Event event, String gpu, Instant since) {
    return event.at().isAfter(since)
        && ((event instanceof Event.Xid xid
                && xid.gpu().equals(gpu)
                && !OF_PROGRAMS.contains(xid.number()))
            || (event instanceof Event.EccGrowth growth
                && growth.gpu().equals(gpu)
                && !growth.corrected()));
  }

  /** The scheduler's delay of the rank's process, if that accounts for half of the excess. */
  private Optional<String> process(String rank, double times) {
    double share = delay(rank);
    List<RankStatus> all = RankStatus.all(view);
    double[] others =
        all.stream()
            .filter(one -> one.part().key().equals(rank))
            .flatMap(own -> all.stream().filter(one -> one.siblings().equals(own.siblings())))
            .map(one -> one.part().key())
            .filter(key -> !key.equals(rank))
            .mapToDouble(this::delay)
            .toArray();
    boolean shared = others.length > 0 && Median.lower(others) > HALF * share;
    return share >= DELAYED && share >= HALF * (1 - 1 / times) && !shared
        ? Optional.of(
            "waited for a processor in %d %% of the last %s"
                .formatted(Math.round(100 * share), TrainingRule.window(watched(rank))))
        : Optional.empty();
  }

  /** The share of the time in which a rank's process waited for a processor. */
  private double delay(String rank) {
    double covered = watched(rank);
    return covered > 0
        ? view.trends().recent(rank, TrainingMetrics.RUN_DELAY_SECONDS) / covered
        : 0;
  }

  /** The seconds of the window in which it was read. */
  private double watched(String rank) {
    return view.trends()
        .covered(rank, TrainingMetrics.RUN_DELAY_SECONDS, List.of(), Trends.LONGEST);
  }
}
