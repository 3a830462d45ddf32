package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmValues;
import io.lapwing.dcgm.DcgmValues.Sample;
import io.lapwing.dcgm.DcgmWatch;
import io.lapwing.metric.Labels;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Samples the profiling fields of GPUs without GPM in one engine, for the {@link ActivityBoard}.
 */
final class DcgmActivity {

  static final String QUESTION = "DCGM profiling";

  private static final String PAUSED = "paused";
  private static final double MICROS = 1e6;

  /** A watch that was refused may be accepted later, when a tool releases the counters. */
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMinutes(1);

  private final DcgmEngine engine;
  private final ActivityBoard board;
  private final Duration every;
  private final Map<String, DcgmEntity> gpus;
  private final Map<String, Long> sampledAt = new HashMap<>();

  private Set<String> asked = Set.of();
  private Instant askedAt = Instant.MIN;
  private @Nullable DcgmWatch watch;
  private Optional<Reading.Failed<?>> problem = Optional.empty();

  /** The GPUs of the engine by UUID. */
  DcgmActivity(
      DcgmEngine engine, ActivityBoard board, Duration every, Map<String, DcgmEntity> gpus) {
    this.engine = engine;
    this.board = board;
    this.every = every;
    this.gpus = Map.copyOf(gpus);
  }

  /** Reads the latest samples; a failure is that of the whole engine. */
  Reading<Boolean> read(Instant now) {
    watchNeeded(now);
    DcgmWatch open = watch;
    if (open == null) {
      return Reading.of(true);
    }
    return open.latest()
        .map(
            values -> {
              publish(values, now);
              return true;
            });
  }

  private void watchNeeded(Instant now) {
    Map<String, DcgmEntity> needed = new TreeMap<>(gpus);
    needed.keySet().retainAll(board.needed());
    boolean again = watch == null && !now.isBefore(askedAt.plus(BETWEEN_ATTEMPTS));
    if (needed.keySet().equals(asked) && !again) {
      return;
    }
    asked = Set.copyOf(needed.keySet());
    askedAt = now;
    end();
    if (!needed.isEmpty()) {
      watch(List.copyOf(needed.values()));
    }
  }

  private void watch(List<DcgmEntity> entities) {
    Reading<DcgmWatch> begun = engine.watch(entities, GpuProfiling.dcgmFields(), every);
    if (begun instanceof Reading.Present<DcgmWatch> present) {
      watch = present.value();
      board.available();
    } else {
      fail(begun.failure().orElse("not_supported"));
    }
  }

  private void end() {
    DcgmWatch old = watch;
    if (old != null) {
      old.close();
      watch = null;
    }
    sampledAt.clear();
    problem = Optional.empty();
  }

  private void publish(DcgmValues values, Instant now) {
    boolean blank = false;
    boolean any = false;
    for (String uuid : asked) {
      DcgmEntity gpu = gpus.get(uuid);
      if (gpu != null) {
        Map<DcgmFieldId, Sample> samples = samples(values, gpu);
        any |= !samples.isEmpty();
        blank |= samples.isEmpty() && isBlank(values, gpu);
        publish(uuid, samples, now);
      }
    }
    if (any) {
      problem = Optional.empty();
      board.available();
    } else if (blank) {
      boolean paused = engine.profilingPaused().toOptional().orElse(false);
      fail(paused ? PAUSED : DcgmValues.BLANK);
    }
  }

  private void fail(String reason) {
    problem = Optional.of(new Reading.Failed<>(QUESTION, reason));
    board.unavailable(reason);
  }

  private static Map<DcgmFieldId, Sample> samples(DcgmValues values, DcgmEntity gpu) {
    Map<DcgmFieldId, Sample> samples = new EnumMap<>(DcgmFieldId.class);
    for (DcgmFieldId field : GpuProfiling.dcgmFields()) {
      values.get(gpu, field).toOptional().ifPresent(sample -> samples.put(field, sample));
    }
    return samples;
  }

  private static boolean isBlank(DcgmValues values, DcgmEntity gpu) {
    return GpuProfiling.dcgmFields().stream()
        .anyMatch(
            field -> values.get(gpu, field).failure().filter(DcgmValues.BLANK::equals).isPresent());
  }

  /** The same sample again is not news: if no new one comes, it becomes stale. */
  private void publish(String uuid, Map<DcgmFieldId, Sample> samples, Instant now) {
    long micros = samples.values().stream().mapToLong(Sample::micros).max().orElse(0);
    if (samples.isEmpty()) {
      board.withdraw(uuid);
      sampledAt.remove(uuid);
      return;
    }
    Long before = sampledAt.put(uuid, micros);
    if (before == null || before != micros) {
      Map<DcgmFieldId, Double> values = new EnumMap<>(DcgmFieldId.class);
      samples.forEach((field, sample) -> values.put(field, sample.value()));
      board.publish(uuid, values, before == null ? 0 : seconds(before, micros, every), now);
    }
  }

  /**
   * A sample is of its period only. Where no rule needs more, the agent reads every third, some
   * microseconds early or late; if more than that were missed, their time is not known.
   */
  static double seconds(long before, long micros, Duration every) {
    double passed = Math.max(0, micros - before) / MICROS;
    double period = every.toNanos() / 1e9;
    return passed > 3.5 * period ? period : passed;
  }

  Map<DcgmFieldId, String> rejected() {
    DcgmWatch open = watch;
    return open == null ? Map.of() : open.rejected();
  }

  void collect(SampleSink sink) {
    problem.ifPresent(sink::countFailure);
    DcgmEntityWatch.rejected(rejected(), sink);
    sampledAt.values().stream()
        .mapToLong(Long::longValue)
        .min()
        .ifPresent(micros -> sink.add(HostEngineMetrics.SAMPLE_TIME, Labels.NONE, micros / MICROS));
  }
}
