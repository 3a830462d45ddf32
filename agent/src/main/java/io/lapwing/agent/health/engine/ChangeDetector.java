package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Detects counted errors, remapped rows and lost, returned or reset GPUs between snapshots;
 * continues from the log after a restart. Used by one thread.
 */
final class ChangeDetector {

  public static final List<Metric> NEEDS =
      List.of(
          DcgmMetrics.TOTAL_ENERGY_CONSUMPTION,
          DcgmMetrics.ECC_SBE_AGG_TOTAL,
          DcgmMetrics.ECC_SBE_VOL_TOTAL,
          DcgmMetrics.ECC_DBE_AGG_TOTAL,
          DcgmMetrics.ECC_DBE_VOL_TOTAL,
          DcgmMetrics.CORRECTABLE_REMAPPED_ROWS,
          DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS,
          EfaMetrics.DEVICES,
          GpuMetrics.INFO);

  /** Corrected errors, which can come by thousands, make one event an hour at most. */
  private static final Duration CORRECTED_INTERVAL = Duration.ofHours(1);

  /** Places of labels of {@link GpuMetrics#INFO}, after the GPU's own. */
  private static final int MODEL = 0;

  private static final int SERIAL = 1;

  private static final Duration SEEN_INTERVAL = Duration.ofHours(1);

  /** Both the kernel log and NVML report that the driver was loaded. */
  private static final Duration SAME_LOAD = Duration.ofMinutes(2);

  private final Map<String, Gpu> gpus = new HashMap<>();
  private final Set<String> lost = new HashSet<>();
  private OptionalInt efaDevices = OptionalInt.empty();
  private OptionalLong reloads = OptionalLong.empty();

  /** When NVML last showed a reload: an earlier message of the kernel was about that one. */
  private Instant reloadedAt = Instant.MIN;

  private static final class Gpu {
    OptionalDouble energy = OptionalDouble.empty();
    Optional<Instant> energyNoted = Optional.empty();
    final Errors corrected = new Errors();
    final Errors uncorrected = new Errors();
    Optional<Rows> rows = Optional.empty();
    String serial = "";
  }

  private record Rows(double correctable, double uncorrectable) {}

  private record Reading(long count, Instant at) {}

  /** The two counters of one kind of error. Each has its own baseline: either may be missing. */
  private static final class Errors {
    final Count life = new Count();
    final Count sinceLoad = new Count();

    boolean unknown() {
      return life.noted.isEmpty() && sinceLoad.noted.isEmpty();
    }
  }

  private static final class Count {
    /** As in the last event; before the first event, as first read. */
    OptionalLong noted = OptionalLong.empty();

    Optional<Instant> notedAt = Optional.empty();
    Optional<Reading> read = Optional.empty();

    /** Continues from a reading whose increase the other counter reported. */
    void rebase(long count, Instant at) {
      noted = OptionalLong.of(count);
      read = Optional.of(new Reading(count, at));
    }

    /** The other counter reported this increase, while this one was not read. */
    void add(long increase) {
      noted = noted.isPresent() ? OptionalLong.of(noted.getAsLong() + increase) : noted;
    }
  }

  ChangeDetector(List<Event> history) {
    history.forEach(this::restore);
  }

  private void restore(Event event) {
    if (event instanceof Event.EfaDevicesCounted counted) {
      efaDevices = OptionalInt.of(counted.devices());
    } else if (event instanceof Event.Booted) {
      gpus.values().forEach(gpu -> gpu.energy = OptionalDouble.empty());
    } else if (event instanceof Event.GpuSeen seen) {
      gpu(seen.gpu()).energy = OptionalDouble.of((double) seen.energy());
    } else if (event instanceof Event.GpuReset reset) {
      gpu(reset.gpu()).energy = OptionalDouble.empty();
    } else if (event instanceof Event.GpuLost gone) {
      lost.add(gone.gpu());
    } else if (event instanceof Event.GpuReturned back) {
      lost.remove(back.gpu());
    } else if (event instanceof Event.EccGrowth growth) {
      Gpu gpu = gpu(growth.gpu());
      Errors errors = growth.corrected() ? gpu.corrected : gpu.uncorrected;
      Count count = growth.sinceLoad() ? errors.sinceLoad : errors.life;
      count.noted = OptionalLong.of(growth.to());
      count.notedAt = Optional.of(growth.at());
      count.read = Optional.of(new Reading(growth.to(), growth.at()));
    } else if (event instanceof Event.GpuIdentified identity) {
      gpu(identity.gpu()).serial = identity.serial();
    } else if (event instanceof Event.RowsRemapped rows) {
      gpu(rows.gpu()).rows = Optional.of(new Rows(rows.correctable(), rows.uncorrectable()));
    }
  }

  private Gpu gpu(String uuid) {
    return gpus.computeIfAbsent(uuid, unseen -> new Gpu());
  }

  /**
   * The changes since the last snapshot; {@code awaitReset} has the GPUs whose findings require a
   * reset.
   */
  List<Event> detect(NodeSnapshot view, long driverReloads, Set<String> awaitReset) {
    List<Event> events = new ArrayList<>();
    if (view.driver() instanceof DriverStatus.Released) {
      // What is read first after the release is noted at once.
      gpus.values().forEach(gpu -> gpu.energyNoted = Optional.empty());
    }
    boolean reloaded = driver(view, driverReloads, events);
    efaDevices(view, events);
    for (GpuStatus gpu : view.gpus()) {
      presence(view, gpu, events);
      if (gpu.answers()) {
        identity(view.now(), gpu, events);
        energy(view.now(), gpu, reloaded, awaitReset.contains(gpu.uuid()), events);
        errors(view, gpu, events);
        rows(view.now(), gpu, events);
      }
    }
    return events;
  }

  private void efaDevices(NodeSnapshot view, List<Event> events) {
    view.whole(EfaSource.KIND)
        .filter(PartStatus::answers)
        .map(whole -> whole.values().get(EfaMetrics.DEVICES))
        .filter(OptionalDouble::isPresent)
        .map(devices -> (int) devices.getAsDouble())
        .filter(devices -> efaDevices.isEmpty() || efaDevices.getAsInt() != devices)
        .ifPresent(
            devices -> {
              efaDevices = OptionalInt.of(devices);
              events.add(new Event.EfaDevicesCounted(view.now(), devices));
            });
  }

  private boolean driver(NodeSnapshot view, long driverReloads, List<Event> events) {
    boolean reloaded = driverReloads > reloads.orElse(driverReloads);
    reloads = OptionalLong.of(driverReloads);
    if (reloaded && view.driver() instanceof DriverStatus.Up up) {
      Instant recent = view.now().minus(SAME_LOAD);
      Instant since = recent.isAfter(reloadedAt) ? recent : reloadedAt;
      reloadedAt = view.now();
      boolean reported =
          view.history()
              .last(Event.DriverLoaded.class, load -> load.at().isAfter(since))
              .isPresent();
      if (!reported) {
        events.add(new Event.DriverLoaded(view.now(), up.version()));
      }
    }
    return reloaded;
  }

  /** A GPU is not lost while the driver does not answer. */
  private void presence(NodeSnapshot view, GpuStatus gpu, List<Event> events) {
    if (gpu.lost() && view.driver() instanceof DriverStatus.Up && lost.add(gpu.uuid())) {
      events.add(new Event.GpuLost(view.now(), gpu.uuid(), reason(gpu)));
    } else if (gpu.answers() && lost.remove(gpu.uuid())) {
      events.add(new Event.GpuReturned(view.now(), gpu.uuid()));
    }
  }

  /** Once for each GPU whose board has a serial, so that the log keeps it. */
  private void identity(Instant now, GpuStatus gpu, List<Event> events) {
    Gpu known = gpu(gpu.uuid());
    gpu.values()
        .each(
            GpuMetrics.INFO,
            (labels, one) -> {
              String serial = labels.size() > SERIAL ? labels.get(SERIAL) : "";
              if (!serial.isEmpty() && !serial.equals(known.serial)) {
                known.serial = serial;
                events.add(new Event.GpuIdentified(now, gpu.uuid(), serial, labels.get(MODEL)));
              }
            });
  }

  private static String reason(GpuStatus gpu) {
    return gpu.state() == PartStatus.State.GONE ? "not_counted" : gpu.reason();
  }

  /** Energy counts from the driver load or GPU reset: a decrease is a reset. */
  private void energy(
      Instant now, GpuStatus gpu, boolean reloaded, boolean awaited, List<Event> events) {
    OptionalDouble energy = gpu.values().get(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION);
    if (energy.isEmpty()) {
      return;
    }
    double used = energy.getAsDouble();
    Gpu known = gpu(gpu.uuid());
    if (used < known.energy.orElse(used) && !reloaded) {
      events.add(new Event.GpuReset(now, gpu.uuid(), "its energy counter restarted"));
    }
    known.energy = energy;
    if (!awaited) {
      known.energyNoted = Optional.empty();
    } else if (isDue(known.energyNoted, now, SEEN_INTERVAL)) {
      known.energyNoted = Optional.of(now);
      events.add(new Event.GpuSeen(now, gpu.uuid(), (long) used));
    }
  }

  private void errors(NodeSnapshot view, GpuStatus gpu, List<Event> events) {
    Gpu known = gpu(gpu.uuid());
    OptionalLong life = count(gpu, DcgmMetrics.ECC_DBE_AGG_TOTAL);
    OptionalLong sinceLoad = count(gpu, DcgmMetrics.ECC_DBE_VOL_TOTAL);
    boolean firstSight = known.uncorrected.unknown();
    if (firstSight && sinceLoad.orElse(0) > 0) {
      events.add(
          new Event.EccGrowth(
              view.now(),
              view.history().lastReset(gpu.uuid()).orElse(view.now()),
              gpu.uuid(),
              false,
              0,
              sinceLoad.getAsLong(),
              true));
    }
    errors(view.now(), gpu.uuid(), false, known.uncorrected, life, sinceLoad, events);
    errors(
        view.now(),
        gpu.uuid(),
        true,
        known.corrected,
        count(gpu, DcgmMetrics.ECC_SBE_AGG_TOTAL),
        count(gpu, DcgmMetrics.ECC_SBE_VOL_TOTAL),
        events);
  }

  private static OptionalLong count(GpuStatus gpu, Metric metric) {
    OptionalDouble value = gpu.values().get(metric);
    return value.isPresent() ? OptionalLong.of((long) value.getAsDouble()) : OptionalLong.empty();
  }

  /** By the counter over the board's life; by the other one while that is not read. */
  private static void errors(
      Instant now,
      String gpu,
      boolean corrected,
      Errors known,
      OptionalLong life,
      OptionalLong sinceLoad,
      List<Event> events) {
    if (life.isPresent()) {
      increased(now, known.life, life.getAsLong(), corrected)
          .ifPresent(grown -> events.add(grown.event(now, gpu, corrected, false)));
      sinceLoad.ifPresent(read -> known.sinceLoad.rebase(read, now));
    } else if (sinceLoad.isPresent()) {
      increased(now, known.sinceLoad, sinceLoad.getAsLong(), corrected)
          .ifPresent(
              grown -> {
                events.add(grown.event(now, gpu, corrected, true));
                known.life.add(grown.to() - grown.from());
              });
    }
  }

  private record Increase(Instant since, long from, long to) {

    Event event(Instant now, String gpu, boolean corrected, boolean sinceLoad) {
      return new Event.EccGrowth(now, since, gpu, corrected, from, to, sinceLoad);
    }
  }

  private static Optional<Increase> increased(
      Instant now, Count count, long read, boolean corrected) {
    long noted = count.noted.orElse(read);
    if (read < noted) {
      noted = 0; // The counter restarted.
    }
    Optional<Increase> increase = Optional.empty();
    if (read > noted && (!corrected || isDue(count.notedAt, now, CORRECTED_INTERVAL))) {
      long before = noted;
      Instant since =
          count
              .read
              .filter(last -> last.count() == before)
              .map(Reading::at)
              .or(() -> count.notedAt)
              .orElse(now);
      increase = Optional.of(new Increase(since, noted, read));
      noted = read;
      count.notedAt = Optional.of(now);
    }
    count.noted = OptionalLong.of(noted);
    count.read = Optional.of(new Reading(read, now));
    return increase;
  }

  /** Whether it never was or was that long ago; a future time means the clock was set back. */
  private static boolean isDue(Optional<Instant> at, Instant now, Duration apart) {
    return at.filter(time -> !time.isAfter(now) && time.isAfter(now.minus(apart))).isEmpty();
  }

  /** The first values make an event too: later ones are compared with them. */
  private void rows(Instant now, GpuStatus gpu, List<Event> events) {
    OptionalDouble correctable = gpu.values().get(DcgmMetrics.CORRECTABLE_REMAPPED_ROWS);
    OptionalDouble uncorrectable = gpu.values().get(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS);
    if (correctable.isEmpty() || uncorrectable.isEmpty()) {
      return;
    }
    Rows rows = new Rows(correctable.getAsDouble(), uncorrectable.getAsDouble());
    Gpu known = gpu(gpu.uuid());
    if (!known.rows.equals(Optional.of(rows))) {
      known.rows = Optional.of(rows);
      events.add(
          new Event.RowsRemapped(
              now, gpu.uuid(), (long) rows.correctable(), (long) rows.uncorrectable()));
    }
  }
}
