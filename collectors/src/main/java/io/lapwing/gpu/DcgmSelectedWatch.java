package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmValues.Sample;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fields that the engine samples only while their families are selected, of entities that may
 * become more. Entities are kept once seen, so that a link that goes off is reported.
 */
final class DcgmSelectedWatch {

  private final DcgmEngine engine;
  private final Supplier<Reading<List<DcgmEntity>>> listing;
  private final Map<DcgmFieldId, Metric> families;
  private final Duration every;
  private final Set<DcgmEntity> entities = new LinkedHashSet<>();

  private Map<DcgmFieldId, Metric> selected = Map.of();
  private @Nullable DcgmEntityWatch watch;
  private Reading<?> listed = Reading.of(true);

  DcgmSelectedWatch(
      DcgmEngine engine,
      Supplier<Reading<List<DcgmEntity>>> listing,
      Map<DcgmFieldId, Metric> families,
      Duration every) {
    this.engine = engine;
    this.listing = listing;
    this.families = families;
    this.every = every;
  }

  /** Whether there are more entities, or other fields are wanted: it has to begin again. */
  boolean isOther(GpuView view) {
    Map<DcgmFieldId, Metric> wanted = selected(view);
    boolean more = !wanted.isEmpty() && entities.addAll(listed());
    boolean other = more || !wanted.equals(selected);
    selected = wanted;
    return other;
  }

  /** An engine with an empty list has none of them. */
  private List<DcgmEntity> listed() {
    Reading<List<DcgmEntity>> now = listing.get();
    listed =
        now.failure().filter(DcgmEntityWatch.FINAL::contains).isPresent() ? Reading.of(true) : now;
    return now.toOptional().orElse(List.of());
  }

  /** A failure is that of the whole engine. */
  Reading<Boolean> read(Instant now) {
    if (watch == null) {
      begin();
    }
    DcgmEntityWatch open = watch;
    return open == null ? Reading.of(true) : open.read(now);
  }

  private Map<DcgmFieldId, Metric> selected(GpuView view) {
    Map<DcgmFieldId, Metric> found = new EnumMap<>(DcgmFieldId.class);
    families.forEach(
        (field, family) -> {
          if (view.selection().shown(family) != null) {
            found.put(field, family);
          }
        });
    return found;
  }

  private void begin() {
    if (!selected.isEmpty() && !entities.isEmpty()) {
      List<DcgmEntity> all = List.copyOf(entities);
      watch = new DcgmEntityWatch(engine, () -> Reading.of(all), selected.keySet(), every);
    }
  }

  void end() {
    DcgmEntityWatch old = watch;
    if (old != null) {
      old.close();
      watch = null;
    }
  }

  /** {@code samples}: how to read one, as by {@link DcgmEntityWatch#fresh}. */
  void collect(
      SampleSink sink,
      GpuView view,
      Function<DcgmEntity, Labels> own,
      Function<DcgmEntityWatch, BiFunction<DcgmEntity, DcgmFieldId, Reading<Sample>>> samples) {
    sink.countFailure(listed);
    DcgmEntityWatch open = watch;
    if (open != null) {
      open.collect(
          sink,
          view,
          selected,
          own,
          samples.apply(open),
          (field, sample) -> DcgmEntityWatch.isWithoutValue(sample));
    }
  }
}
