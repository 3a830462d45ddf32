package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmInstance;
import io.lapwing.dcgm.DcgmValues;
import io.lapwing.dcgm.DcgmValues.Sample;
import io.lapwing.dcgm.DcgmWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Samples the profiling fields of the MIG instances of GPUs without GPM in one engine, for an
 * {@link ActivityBoard} of theirs. Each round asks the engine for the instances: it numbers them by
 * their place on the GPU, so another instance may get the entity of a destroyed one.
 */
final class DcgmInstances {

  /**
   * The first sample after a change may be older than it, and the second be of a time before and
   * after it.
   */
  private static final int DOUBTFUL_SAMPLES = 2;

  /** A watch that was refused twice may be accepted later. */
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMinutes(1);

  private final DcgmEngine engine;
  private final ActivityBoard board;
  private final Duration every;
  private final Map<DcgmEntity, String> gpus = new HashMap<>();
  private final Map<DcgmInstance, Seen> seen = new HashMap<>();

  private Set<DcgmInstance> asked = Set.of();
  private Instant askedAt = Instant.MIN;
  private int refusals;
  private @Nullable DcgmWatch watch;
  private Optional<Reading.Failed<?>> problem = Optional.empty();

  /** The samples of an instance so far, and the time of the last one. */
  private record Seen(int samples, long micros) {}

  /** The GPUs of the engine by UUID. */
  DcgmInstances(
      DcgmEngine engine, ActivityBoard board, Duration every, Map<String, DcgmEntity> gpus) {
    this.engine = engine;
    this.board = board;
    this.every = every;
    gpus.forEach((uuid, gpu) -> this.gpus.put(gpu, uuid));
  }

  /** No call while no GPU without GPM is divided. A failure affects only the instances. */
  void read(Instant now) {
    Set<String> divided = board.needed();
    if (divided.isEmpty() && asked.isEmpty()) {
      problem = Optional.empty();
      return;
    }
    Optional<Reading<DcgmValues>> latest = Optional.ofNullable(watch).map(DcgmWatch::latest);
    // After the values: they are used of instances that were the same before and after the read.
    Reading<Set<DcgmInstance>> listed =
        divided.isEmpty() ? Reading.of(Set.of()) : engine.instances().map(all -> of(divided, all));
    Optional<String> failure = listed.failure();
    if (failure.isPresent()) {
      // The values of entities of unknown instances are left alone; those on the board become
      // stale.
      fail(failure.get());
      return;
    }
    Set<DcgmInstance> there = listed.toOptional().orElse(Set.of());
    forgetOthers(there);
    latest.flatMap(Reading::toOptional).ifPresent(values -> publish(values, there, now));
    latest.flatMap(Reading::failure).ifPresent(this::lose);
    watchNeeded(there, now);
  }

  private Set<DcgmInstance> of(Set<String> divided, List<DcgmInstance> all) {
    Set<DcgmInstance> found = new HashSet<>();
    for (DcgmInstance one : all) {
      String uuid = gpus.get(one.gpu());
      if (uuid != null && divided.contains(uuid)) {
        found.add(one);
      }
    }
    return found;
  }

  /** One that has another entity now keeps its last value until it has a new one, or is stale. */
  private void forgetOthers(Set<DcgmInstance> there) {
    for (DcgmInstance one : asked) {
      if (!there.contains(one)) {
        seen.remove(one);
        if (there.stream().noneMatch(other -> isSame(one, other))) {
          board.withdraw(key(one));
        }
      }
    }
  }

  private static boolean isSame(DcgmInstance one, DcgmInstance other) {
    return one.gpu().equals(other.gpu())
        && one.id() == other.id()
        && one.profile() == other.profile();
  }

  private void watchNeeded(Set<DcgmInstance> there, Instant now) {
    boolean again =
        watch == null
            && !there.isEmpty()
            && (refusals < 2 || !now.isBefore(askedAt.plus(BETWEEN_ATTEMPTS)));
    if (there.isEmpty() || watch != null) {
      problem = Optional.empty();
    }
    if (there.equals(asked) && !again) {
      return;
    }
    refusals = there.equals(asked) ? refusals : 0;
    asked = Set.copyOf(there);
    askedAt = now;
    problem = Optional.empty();
    // First: an engine keeps watches by connection and entity, so that this would end the next.
    if (watch != null) {
      watch.close();
      watch = null;
    }
    if (!there.isEmpty()) {
      watch(now);
    }
  }

  private void watch(Instant now) {
    List<DcgmEntity> entities = asked.stream().map(DcgmInstance::entity).toList();
    Reading<DcgmWatch> begun = engine.watch(entities, GpuProfiling.dcgmFieldsOfInstances(), every);
    if (begun instanceof Reading.Present<DcgmWatch> present) {
      watch = present.value();
      refusals = 0;
      Set<DcgmInstance> others = new HashSet<>(asked);
      others.removeAll(seen.keySet());
      // The engine's first values of these may be those of an earlier instance.
      present.value().latest().toOptional().ifPresent(values -> publish(values, others, now));
    } else {
      refusals++;
      fail(begun.failure().orElse("not_supported"));
    }
  }

  private void fail(String reason) {
    problem = Optional.of(new Reading.Failed<>(DcgmActivity.QUESTION + " of MIG", reason));
  }

  /** An instance may have vanished since they were listed: they are listed again. */
  private void lose(String reason) {
    DcgmWatch open = watch;
    if (open != null) {
      open.close();
      watch = null;
    }
    fail(reason);
  }

  private String key(DcgmInstance one) {
    return ActivityBoard.instance(gpus.getOrDefault(one.gpu(), ""), one.id());
  }

  private void publish(DcgmValues values, Set<DcgmInstance> there, Instant now) {
    for (DcgmInstance one : asked) {
      if (!there.contains(one)) {
        continue;
      }
      Map<DcgmFieldId, Double> found = new EnumMap<>(DcgmFieldId.class);
      long micros = 0;
      for (DcgmFieldId field : GpuProfiling.dcgmFieldsOfInstances()) {
        Optional<Sample> sample = values.get(one.entity(), field).toOptional();
        if (sample.isPresent()) {
          found.put(field, sample.get().value());
          micros = Math.max(micros, sample.get().micros());
        }
      }
      if (!found.isEmpty()) {
        publish(one, found, micros, now);
      } else if (!isAwaited(values, one)) {
        board.withdraw(key(one));
      }
    }
  }

  /** Of a new watch there is no sample yet. */
  private static boolean isAwaited(DcgmValues values, DcgmInstance one) {
    return GpuProfiling.dcgmFieldsOfInstances().stream()
        .flatMap(field -> values.get(one.entity(), field).failure().stream())
        .allMatch(DcgmValues.NO_DATA::equals);
  }

  /** The same sample again is not news: if no new one comes, it becomes stale. */
  private void publish(
      DcgmInstance one, Map<DcgmFieldId, Double> values, long micros, Instant now) {
    Seen before = seen.get(one);
    if (before != null && before.micros() == micros) {
      return;
    }
    Seen next = new Seen(before == null ? 1 : before.samples() + 1, micros);
    seen.put(one, next);
    if (before != null && next.samples() > DOUBTFUL_SAMPLES) {
      board.settle(key(one), one.profile());
      double passed = DcgmActivity.seconds(before.micros(), micros, every);
      board.publish(key(one), values, passed, now);
    }
  }

  /** {@code reported}: the fields that are rejected of GPUs too, and why. */
  void collect(SampleSink sink, Map<DcgmFieldId, String> reported) {
    problem.ifPresent(sink::countFailure);
    DcgmWatch open = watch;
    if (open != null) {
      Map<DcgmFieldId, String> rejected = new HashMap<>(open.rejected());
      rejected.entrySet().removeAll(reported.entrySet());
      DcgmEntityWatch.rejected(rejected, sink);
    }
  }
}
