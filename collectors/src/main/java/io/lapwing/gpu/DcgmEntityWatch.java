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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an engine samples of entities that are no GPUs, and the fields that it refuses. */
final class DcgmEntityWatch {

  /** Of an engine older than all of the fields. */
  private static final String UNKNOWN_FIELD = "unknown_field";

  private final List<DcgmEntity> entities;
  private final Reading<DcgmWatch> watch;
  private @Nullable DcgmValues values;

  private DcgmEntityWatch(List<DcgmEntity> entities, Reading<DcgmWatch> watch) {
    this.entities = List.copyOf(entities);
    this.watch = watch;
  }

  /** An engine that knows none of a kind is as good as a node without them. */
  static DcgmEntityWatch of(
      DcgmEngine engine, DcgmEntity.Kind kind, Collection<DcgmFieldId> fields, Duration every) {
    return of(engine, engine.entities(kind).toOptional().orElse(List.of()), fields, every);
  }

  static DcgmEntityWatch of(
      DcgmEngine engine,
      List<DcgmEntity> entities,
      Collection<DcgmFieldId> fields,
      Duration every) {
    Reading<DcgmWatch> watch =
        entities.isEmpty()
            ? new Reading.Unsupported<>("DCGM entities")
            : engine.watch(entities, List.copyOf(fields), every);
    return new DcgmEntityWatch(
        entities,
        watch.failure().filter(UNKNOWN_FIELD::equals).isPresent()
            ? new Reading.Unsupported<>("DCGM fields")
            : watch);
  }

  List<DcgmEntity> entities() {
    return entities;
  }

  /** A failure is one of the engine as a whole. */
  Reading<Boolean> read() {
    return watch instanceof Reading.Present<DcgmWatch> present
        ? present.value().latest().map(this::keep)
        : Reading.of(true);
  }

  private boolean keep(DcgmValues latest) {
    values = latest;
    return true;
  }

  /** Empty before the first read, and if nothing is watched. */
  Optional<DcgmValues> values() {
    return Optional.ofNullable(values);
  }

  /** Whether the engine had no value to give: before the first sample, and without a sensor. */
  static boolean isWithoutValue(Reading<Sample> sample) {
    return sample
        .failure()
        .filter(why -> why.equals(DcgmValues.NO_DATA) || why.equals(DcgmValues.BLANK))
        .isPresent();
  }

  void report(SampleSink sink) {
    sink.countFailure(watch);
    watch.toOptional().ifPresent(open -> rejected(open, sink));
  }

  /** The fields that an engine refuses. */
  static void rejected(DcgmWatch open, SampleSink sink) {
    new TreeMap<>(open.rejected())
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
   * @param missing samples that are no values
   */
  void collect(
      SampleSink sink,
      GpuView view,
      Map<DcgmFieldId, Metric> families,
      Function<DcgmEntity, Labels> own,
      BiPredicate<DcgmFieldId, Reading<Sample>> missing) {
    report(sink);
    DcgmValues latest = values;
    if (latest == null) {
      return;
    }
    for (DcgmEntity one : entities) {
      Labels labels = labels(own.apply(one), view);
      families.forEach(
          (field, family) -> {
            Metric shown = view.selection().shown(family);
            Reading<Sample> sample = latest.get(one, field);
            if (shown != null && !missing.test(field, sample)) {
              sink.put(shown, labels, sample.map(Sample::value));
            }
          });
    }
  }

  /** As dcgm-exporter has them: of what is no GPU only the host besides its own. */
  static Labels labels(Labels own, GpuView view) {
    Labels labels = own;
    for (GpuLabelling.HostnameLabel host : view.labelling().hostnames()) {
      labels = labels.with(host.name(), host.value());
    }
    return labels;
  }
}
