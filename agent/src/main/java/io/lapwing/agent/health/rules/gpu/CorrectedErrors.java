package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.MachineChanges;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Values;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The corrected errors of all GPUs, in one pass over the history. Observation starts with the first
 * {@link Event.Started} or an older growth event, so a history must retain a start. {@link
 * Event.Booted} does not count: the agent may have been installed long after. GPUs before a change
 * of instance are others.
 */
final class CorrectedErrors {

  private final Instant now;
  private final Map<String, ErrorHours> hours = new HashMap<>();
  private final Map<String, Instant> returned = new HashMap<>();
  private Optional<Instant> watched = Optional.empty();
  private Instant resumed = Instant.MIN;
  private final MachineChanges machines = new MachineChanges();

  private CorrectedErrors(Instant now) {
    this.now = now;
  }

  static CorrectedErrors of(NodeSnapshot view) {
    CorrectedErrors errors = new CorrectedErrors(view.now());
    view.history().events().forEach(errors::happened);
    for (GpuStatus gpu : view.gpus()) {
      errors.addCurrent(gpu);
    }
    return errors;
  }

  ErrorHours of(GpuStatus gpu) {
    return Objects.requireNonNull(hours.get(gpu.uuid()));
  }

  /** For how many hours the node has been observed; 0 if unknown. */
  double watched() {
    return watched.map(since -> Duration.between(since, now).toSeconds() / 3600.0).orElse(0.0);
  }

  /** The counter over the board's life if the GPU has it, else since the driver was loaded. */
  static Metric metric(Values values) {
    return values.get(DcgmMetrics.ECC_SBE_AGG_TOTAL).isPresent()
        ? DcgmMetrics.ECC_SBE_AGG_TOTAL
        : DcgmMetrics.ECC_SBE_VOL_TOTAL;
  }

  static OptionalDouble count(Values values) {
    return values.get(metric(values));
  }

  private void happened(Event event) {
    if (machines.isChange(event)) {
      watched = Optional.empty();
      hours.clear();
    } else if (event instanceof Event.EccGrowth growth) {
      grew(growth);
    } else if (event instanceof Event.Started started) {
      resumed = started.at();
      watching(started.at());
    } else if (event instanceof Event.DriverLoaded loaded) {
      resumed = loaded.at();
    } else if (event instanceof Event.GpuReturned back) {
      returned.put(back.gpu(), back.at());
    }
  }

  private void watching(Instant since) {
    if (watched.isEmpty() || since.isBefore(watched.get())) {
      watched = Optional.of(since);
    }
  }

  private void grew(Event.EccGrowth growth) {
    watching(growth.since());
    if (!growth.corrected()) {
      return;
    }
    Instant own = returned.getOrDefault(growth.gpu(), Instant.MIN);
    hours
        .computeIfAbsent(growth.gpu(), gpu -> new ErrorHours(now))
        .grew(growth, own.isAfter(resumed) ? own : resumed);
  }

  private void addCurrent(GpuStatus gpu) {
    ErrorHours growth = hours.computeIfAbsent(gpu.uuid(), uuid -> new ErrorHours(now));
    boolean sinceLoad = metric(gpu.values()).equals(DcgmMetrics.ECC_SBE_VOL_TOTAL);
    count(gpu.values()).ifPresent(count -> growth.addUpTo((long) count, sinceLoad));
  }
}
