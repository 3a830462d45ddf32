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
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The samples of entities other than GPUs, and the fields that the engine refuses. */
final class DcgmEntityWatch {

  /** Of an engine older than all of the fields. */
  private static final String UNKNOWN_FIELD = "unknown_field";

  /** So many periods without a new sample make the last one stale. */
  private static final int PERIODS = 3;

  /** Answers that do not change while the engine runs. */
  static final Set<String> FINAL = Set.of("module_not_loaded", "not_supported");

  /** Fields that were refused may be accepted later. */
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMinutes(1);

  private final DcgmEngine engine;
  private final Supplier<Reading<List<DcgmEntity>>> listing;
  private final List<DcgmFieldId> fields;
  private final Duration every;
  private final Map<Place, Seen> seen = new HashMap<>();

  private Instant askedAt = Instant.MIN;
  private boolean again = true;
  private List<DcgmEntity> entities = List.of();
  private Reading<DcgmWatch> watch = new Reading.Unsupported<>("DCGM entities");
  private @Nullable DcgmValues values;
  private Instant readAt = Instant.MIN;

  private record Place(DcgmEntity entity, DcgmFieldId field) {}

  /** A sample by its time at the engine, and when the agent first had it. */
  private record Seen(long micros, Instant at) {}

  DcgmEntityWatch(
      DcgmEngine engine,
      Supplier<Reading<List<DcgmEntity>>> listing,
      Collection<DcgmFieldId> fields,
      Duration every) {
    this.engine = engine;
    this.listing = listing;
    this.fields = List.copyOf(fields);
    this.every = every;
  }

  /** An engine without a kind of entity counts as a node without them. */
  static DcgmEntityWatch of(
      DcgmEngine engine, DcgmEntity.Kind kind, Collection<DcgmFieldId> fields, Duration every) {
    return new DcgmEntityWatch(engine, () -> engine.entities(kind), fields, every);
  }

  private void begin() {
    Reading<List<DcgmEntity>> listed = listing.get();
    entities = listed.toOptional().orElse(List.of());
    Reading<DcgmWatch> begun =
        entities.isEmpty()
            ? new Reading.Unsupported<>("DCGM entities")
            : engine.watch(entities, fields, every);
    boolean refused =
        Stream.concat(listed.failure().stream(), begun.failure().stream())
            .anyMatch(why -> !FINAL.contains(why) && !why.equals(UNKNOWN_FIELD));
    // NSCQ may find switches later than the engine starts; a node without any is asked each minute.
    again = refused || (listed instanceof Reading.Present && entities.isEmpty());
    watch =
        begun.failure().filter(UNKNOWN_FIELD::equals).isPresent()
            ? new Reading.Unsupported<>("DCGM fields")
            : begun;
  }

  List<DcgmEntity> entities() {
    return entities;
  }

  /** A failure is that of the whole engine. */
  Reading<Boolean> read(Instant now) {
    if (again && !now.isBefore(askedAt.plus(BETWEEN_ATTEMPTS))) {
      askedAt = now;
      begin();
    }
    return watch instanceof Reading.Present<DcgmWatch> present
        ? present.value().latest().map(latest -> keep(latest, now))
        : Reading.of(true);
  }

  private boolean keep(DcgmValues latest, Instant now) {
    values = latest;
    readAt = now;
    for (DcgmEntity one : entities) {
      for (DcgmFieldId field : fields) {
        latest
            .get(one, field)
            .toOptional()
            .ifPresent(sample -> see(new Place(one, field), sample.micros(), now));
      }
    }
    return true;
  }

  private void see(Place place, long micros, Instant now) {
    Seen before = seen.get(place);
    if (before == null || before.micros() != micros) {
      seen.put(place, new Seen(micros, now));
    }
  }

  /**
   * The latest sample of something that the engine samples all the time. The same sample again is
   * not news: if no new one comes, it becomes stale.
   */
  Reading<Sample> fresh(DcgmEntity one, DcgmFieldId field) {
    Seen last = seen.get(new Place(one, field));
    boolean stale = last != null && readAt.isAfter(last.at().plus(every.multipliedBy(PERIODS)));
    Reading<Sample> latest = sample(one, field);
    return stale && latest instanceof Reading.Present
        ? new Reading.Failed<>(field.question(), ActivityBoard.STALE)
        : latest;
  }

  /** The latest sample, of whatever age: of events. */
  Reading<Sample> sample(DcgmEntity one, DcgmFieldId field) {
    return values == null ? new Reading.Unsupported<>(field.question()) : values.get(one, field);
  }

  /** Whether the engine had no value: before the first sample, and without a sensor. */
  static boolean isWithoutValue(Reading<Sample> sample) {
    return sample
        .failure()
        .filter(why -> why.equals(DcgmValues.NO_DATA) || why.equals(DcgmValues.BLANK))
        .isPresent();
  }

  /** The engine may not sample it any more: it begins to again in the next round. */
  void again() {
    close();
    watch = new Reading.Unsupported<>("DCGM entities");
    again = true;
    askedAt = Instant.MIN;
  }

  /** The engine no longer samples it. */
  void close() {
    watch.toOptional().ifPresent(DcgmWatch::close);
  }

  void report(SampleSink sink) {
    sink.countFailure(watch);
    watch.toOptional().ifPresent(open -> rejected(open.rejected(), sink));
  }

  /** The fields that an engine refuses. */
  static void rejected(Map<DcgmFieldId, String> fields, SampleSink sink) {
    new TreeMap<>(fields)
        .forEach(
            (field, why) ->
                sink.add(
                    HostEngineMetrics.FIELD_REJECTED,
                    Labels.of("field", field.title(), "reason", why),
                    1));
  }

  /**
   * Puts the values of all entities.
   *
   * @param own labels of an entity
   * @param samples how to read one: {@link #fresh} or {@link #sample}
   * @param missing samples that are no values
   */
  void collect(
      SampleSink sink,
      GpuView view,
      Map<DcgmFieldId, Metric> families,
      Function<DcgmEntity, Labels> own,
      BiFunction<DcgmEntity, DcgmFieldId, Reading<Sample>> samples,
      BiPredicate<DcgmFieldId, Reading<Sample>> missing) {
    report(sink);
    if (values == null) {
      return;
    }
    for (DcgmEntity one : entities) {
      Labels labels = labels(own.apply(one), view);
      families.forEach(
          (field, family) -> {
            Metric shown = view.selection().shown(family);
            Reading<Sample> sample = samples.apply(one, field);
            if (shown != null && !missing.test(field, sample)) {
              sink.put(shown, labels, sample.map(Sample::value));
            }
          });
    }
  }

  /** As in dcgm-exporter: entities other than GPUs have their own labels and the host. */
  static Labels labels(Labels own, GpuView view) {
    Labels labels = own;
    for (GpuLabelling.HostnameLabel host : view.labelling().hostnames()) {
      labels = labels.with(host.name(), host.value());
    }
    return labels;
  }
}
