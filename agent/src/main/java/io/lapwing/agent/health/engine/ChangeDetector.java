package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Notes what changed between two looks: errors that were counted, rows that were remapped, GPUs
 * that were lost, came back or were reset. What was noted before the agent was started again is its
 * starting point. Used by one thread.
 */
public final class ChangeDetector {

  /** The families it reads. */
  public static final List<Metric> NEEDS =
      List.of(
          DcgmMetrics.TOTAL_ENERGY_CONSUMPTION,
          DcgmMetrics.ECC_SBE_AGG_TOTAL,
          DcgmMetrics.ECC_SBE_VOL_TOTAL,
          DcgmMetrics.ECC_DBE_AGG_TOTAL,
          DcgmMetrics.ECC_DBE_VOL_TOTAL,
          DcgmMetrics.CORRECTABLE_REMAPPED_ROWS,
          DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS);

  /** Corrected errors are noted when they begin and then so often: they can come by thousands. */
  private static final Duration CORRECTED_APART = Duration.ofHours(1);

  private static final Duration SEEN_APART = Duration.ofHours(1);

  /** A driver that is loaded is told of by the kernel log and by NVML. */
  private static final Duration SAME_LOAD = Duration.ofMinutes(2);

  private final Map<String, Gpu> gpus = new HashMap<>();
  private final Set<String> lost = new HashSet<>();
  private long reloads = -1;

  /** What is known of one GPU. */
  private static final class Gpu {
    double energy = -1;
    Instant energyNoted = Instant.MIN;
    final Count corrected = new Count();
    final Count uncorrected = new Count();
    double correctableRows = -1;
    double uncorrectableRows = -1;
  }

  /** A count as it was noted last, and as it was read last. */
  private static final class Count {
    long noted = -1;
    Instant notedAt = Instant.MIN;
    long read = -1;
    Instant readAt = Instant.MIN;
  }

  ChangeDetector(List<Event> history) {
    history.forEach(this::remember);
  }

  private void remember(Event event) {
    if (event instanceof Event.Booted) {
      gpus.values().forEach(gpu -> gpu.energy = -1);
    } else if (event instanceof Event.GpuSeen seen) {
      gpu(seen.gpu()).energy = seen.energy();
    } else if (event instanceof Event.GpuReset reset) {
      gpu(reset.gpu()).energy = -1;
    } else if (event instanceof Event.GpuLost gone) {
      lost.add(gone.gpu());
    } else if (event instanceof Event.GpuReturned back) {
      lost.remove(back.gpu());
    } else if (event instanceof Event.EccGrowth growth) {
      Gpu gpu = gpu(growth.gpu());
      Count count = growth.corrected() ? gpu.corrected : gpu.uncorrected;
      count.noted = growth.to();
      count.notedAt = growth.at();
      count.read = growth.to();
      count.readAt = growth.at();
    } else if (event instanceof Event.RowsRemapped rows) {
      gpu(rows.gpu()).correctableRows = rows.correctable();
      gpu(rows.gpu()).uncorrectableRows = rows.uncorrectable();
    }
  }

  private Gpu gpu(String uuid) {
    return gpus.computeIfAbsent(uuid, unseen -> new Gpu());
  }

  /**
   * What changed since the last look.
   *
   * @param driverReloads {@code lapwing_gpu_driver_reloads_total}
   * @param awaitReset UUIDs of the GPUs that are to be reset
   */
  List<Event> observe(NodeSnapshot view, long driverReloads, Set<String> awaitReset) {
    List<Event> events = new ArrayList<>();
    boolean reloaded = driver(view, driverReloads, events);
    for (GpuStatus gpu : view.gpus()) {
      presence(view, gpu, events);
      if (gpu.state() == GpuStatus.State.ANSWERS) {
        energy(view.now(), gpu, reloaded, awaitReset.contains(gpu.uuid()), events);
        errors(view.now(), gpu, events);
        rows(view.now(), gpu, events);
      }
    }
    return events;
  }

  private boolean driver(NodeSnapshot view, long driverReloads, List<Event> events) {
    boolean reloaded = reloads >= 0 && driverReloads > reloads;
    reloads = driverReloads;
    if (reloaded && view.driver() instanceof DriverStatus.Up up) {
      Instant since = view.now().minus(SAME_LOAD);
      boolean told =
          view.history()
              .last(Event.DriverLoaded.class, load -> load.at().isAfter(since))
              .isPresent();
      if (!told) {
        events.add(new Event.DriverLoaded(view.now(), up.version()));
      }
    }
    return reloaded;
  }

  /** A GPU under a driver that does not answer is not lost; the driver is. */
  private void presence(NodeSnapshot view, GpuStatus gpu, List<Event> events) {
    if (gpu.lost() && view.driver() instanceof DriverStatus.Up && lost.add(gpu.uuid())) {
      events.add(new Event.GpuLost(view.now(), gpu.uuid(), reason(gpu)));
    } else if (gpu.state() == GpuStatus.State.ANSWERS && lost.remove(gpu.uuid())) {
      events.add(new Event.GpuReturned(view.now(), gpu.uuid()));
    }
  }

  private static String reason(GpuStatus gpu) {
    return gpu.state() == GpuStatus.State.GONE ? "not_counted" : gpu.reason();
  }

  /**
   * Energy is counted from the driver's load or the GPU's reset: less than before means a reset.
   */
  private void energy(
      Instant now, GpuStatus gpu, boolean reloaded, boolean awaited, List<Event> events) {
    OptionalDouble energy = gpu.values().get(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION);
    if (energy.isEmpty()) {
      return;
    }
    Gpu known = gpu(gpu.uuid());
    if (energy.getAsDouble() < known.energy && !reloaded) {
      events.add(new Event.GpuReset(now, gpu.uuid(), "its energy counter began anew"));
    }
    known.energy = energy.getAsDouble();
    if (!awaited) {
      known.energyNoted = Instant.MIN;
    } else if (isLongAgo(known.energyNoted, now, SEEN_APART)) {
      known.energyNoted = now;
      events.add(new Event.GpuSeen(now, gpu.uuid(), (long) known.energy));
    }
  }

  private void errors(Instant now, GpuStatus gpu, List<Event> events) {
    Gpu known = gpu(gpu.uuid());
    count(gpu, DcgmMetrics.ECC_SBE_AGG_TOTAL, DcgmMetrics.ECC_SBE_VOL_TOTAL)
        .ifPresent(read -> grew(now, gpu.uuid(), true, known.corrected, (long) read, events));
    count(gpu, DcgmMetrics.ECC_DBE_AGG_TOTAL, DcgmMetrics.ECC_DBE_VOL_TOTAL)
        .ifPresent(read -> grew(now, gpu.uuid(), false, known.uncorrected, (long) read, events));
  }

  private static OptionalDouble count(GpuStatus gpu, Metric aggregate, Metric sinceLoad) {
    OptionalDouble whole = gpu.values().get(aggregate);
    return whole.isPresent() ? whole : gpu.values().get(sinceLoad);
  }

  private static void grew(
      Instant now, String gpu, boolean corrected, Count count, long read, List<Event> events) {
    if (count.noted < 0) {
      count.noted = read;
      count.notedAt = Instant.MIN;
    }
    if (read < count.noted) {
      count.noted = 0;
      count.readAt = now;
    }
    boolean due = !corrected || isLongAgo(count.notedAt, now, CORRECTED_APART);
    if (read > count.noted && due) {
      Instant since = count.read == count.noted && count.read >= 0 ? count.readAt : count.notedAt;
      events.add(
          new Event.EccGrowth(
              now, since.equals(Instant.MIN) ? now : since, gpu, corrected, count.noted, read));
      count.noted = read;
      count.notedAt = now;
    }
    count.read = read;
    count.readAt = now;
  }

  /** What is to come was noted before the clock was set back. */
  private static boolean isLongAgo(Instant at, Instant now, Duration apart) {
    return at.isAfter(now) || !at.isAfter(now.minus(apart));
  }

  /** The first look is noted too: growth is told from what was there before. */
  private void rows(Instant now, GpuStatus gpu, List<Event> events) {
    OptionalDouble correctable = gpu.values().get(DcgmMetrics.CORRECTABLE_REMAPPED_ROWS);
    OptionalDouble uncorrectable = gpu.values().get(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS);
    if (correctable.isEmpty() || uncorrectable.isEmpty()) {
      return;
    }
    Gpu known = gpu(gpu.uuid());
    if (correctable.getAsDouble() != known.correctableRows
        || uncorrectable.getAsDouble() != known.uncorrectableRows) {
      known.correctableRows = correctable.getAsDouble();
      known.uncorrectableRows = uncorrectable.getAsDouble();
      events.add(
          new Event.RowsRemapped(
              now, gpu.uuid(), (long) known.correctableRows, (long) known.uncorrectableRows));
    }
  }
}
