package io.lapwing.inference;

import io.lapwing.collect.SampleSink;
import io.lapwing.exposition.ExposedSample;
import io.lapwing.exposition.KnownSeries;
import io.lapwing.metric.LabelText;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The samples of one address, relabeled and folded. Unchanged series allocate nothing. */
final class EngineTotals {

  private static final int MAX_REPLICAS = 256;
  private static final int MAX_BOUND_CHARS = 32;
  private static final int MAX_KNOWN_BYTES = 512 << 10;

  /** Names of the same measure are adjacent, the newest name first. */
  private static final Comparator<ModelMeasure> ORDER =
      Comparator.comparing((ModelMeasure one) -> one.series().engine())
          .thenComparing(one -> one.series().measure())
          .thenComparing(ModelMeasure::model)
          .thenComparing(one -> one.series().choice());

  /** A measure of a model under one name; names with the same choice are equal. */
  private record Key(Engine engine, Measure measure, String model, int choice) {}

  /** Where a line's value goes; null if it is not counted. */
  private record Place(FoldedSeries.@Nullable Replica replica) {}

  private static final Place NOWHERE = new Place(null);

  private final String address;
  private final SeriesRoom room;
  private final Function<ExposedSample, Place> unseen = this::place;
  private KnownSeries<Place> known = new KnownSeries<>(MAX_KNOWN_BYTES);
  private final Map<Key, ModelMeasure> measures = new HashMap<>();
  private List<ModelMeasure> inOrder = List.of();
  private int series;
  private long round;
  private boolean tooMany;
  private long invalidValues;

  EngineTotals(String address, SeriesRoom room) {
    this.address = address;
    this.room = room;
  }

  void begin() {
    if (tooMany) {
      forget();
    }
    round++;
    invalidValues = 0;
  }

  /** Drops all series, after a change of the engine. */
  void forget() {
    known = new KnownSeries<>(MAX_KNOWN_BYTES);
    measures.clear();
    inOrder = List.of();
    room.giveBack(series);
    series = 0;
    tooMany = false;
  }

  /** Whether series were dropped because of the limit. */
  boolean tooMany() {
    return tooMany;
  }

  /** Number of invalid values: negative, infinite or NaN. */
  long invalidValues() {
    return invalidValues;
  }

  void take(ExposedSample sample) {
    double value = sample.value();
    if (!(value >= 0) || Double.isInfinite(value)) {
      invalidValues++;
      return;
    }
    FoldedSeries.Replica replica = known.of(sample, unseen).replica();
    if (replica != null) {
      replica.take(value, round);
    }
  }

  private Place place(ExposedSample sample) {
    EngineSeries.Meaning meaning = EngineSeries.Meaning.of(sample.name());
    if (meaning == null) {
      return NOWHERE;
    }
    String own = own(meaning, sample);
    if (own == null) {
      return NOWHERE;
    }
    boolean replicas = meaning.series().fold() == Measure.Fold.REPLICAS;
    String priority = replicas ? sample.label("priority") : null;
    if (priority != null && !priority.isEmpty()) {
      return NOWHERE;
    }
    return place(meaning, model(meaning, sample), own, replicas ? replica(sample) : "");
  }

  /** The value of the measure's own label; null for a bucket without a bound. */
  private static @Nullable String own(EngineSeries.Meaning meaning, ExposedSample sample) {
    if (meaning.bucket()) {
      String bound = sample.label(Metric.LE);
      return bound != null && isBound(bound) ? bound : null;
    }
    return meaning.series().measure() == Measure.REQUESTS_FINISHED
        ? FinishReason.of(meaning.series(), sample)
        : "";
  }

  /** A router adds the worker. */
  private static String replica(ExposedSample sample) {
    return text(sample.label("worker_addr")) + '\n' + text(sample.label("dp_rank"));
  }

  private static String text(@Nullable String label) {
    return label == null ? "" : label;
  }

  private static boolean isBound(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_BOUND_CHARS
        && text.chars().allMatch(one -> "0123456789.+-eInf".indexOf(one) >= 0);
  }

  private Place place(EngineSeries.Meaning meaning, String model, String own, String replica) {
    EngineSeries name = meaning.series();
    Key key = new Key(name.engine(), name.measure(), model, name.choice());
    ModelMeasure measure = measures.get(key);
    if (measure == null || !measure.has(meaning.metric(), own)) {
      if (!room.take()) {
        tooMany = true;
        return NOWHERE;
      }
      series++;
    }
    if (measure == null) {
      measure = new ModelMeasure(name, model, labels(name.engine(), model));
      measures.put(key, measure);
    }
    FoldedSeries folded = measure.series(meaning.metric(), own);
    if (folded.replicas() == MAX_REPLICAS) {
      tooMany = true;
      return NOWHERE;
    }
    return new Place(folded.replica(replica));
  }

  private Labels labels(Engine engine, String model) {
    return Labels.of(
        InferenceMetrics.ENGINE,
        engine.text(),
        InferenceMetrics.MODEL,
        model,
        InferenceMetrics.ADDRESS,
        address);
  }

  private static String model(EngineSeries.Meaning meaning, ExposedSample sample) {
    String label = meaning.series().engine().modelLabel();
    String name = label.isEmpty() ? null : sample.label(label);
    return name == null ? "" : LabelText.clean(name);
  }

  /** Exposes one engine's samples of this round. Of two names of a measure, the newer is used. */
  void put(Engine engine, SampleSink sink) {
    if (inOrder.size() != measures.size()) {
      inOrder = measures.values().stream().sorted(ORDER).toList();
    }
    for (int i = 0; i < inOrder.size(); i++) {
      if (inOrder.get(i).series().engine() == engine && !newerSeen(i)) {
        put(inOrder.get(i), sink);
      }
    }
  }

  private boolean newerSeen(int index) {
    for (int i = index - 1; i >= 0 && inOrder.get(i).sameMeasure(inOrder.get(index)); i--) {
      if (seen(inOrder.get(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean seen(ModelMeasure measure) {
    List<FoldedSeries> all = measure.inOrder();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).seen(round)) {
        return true;
      }
    }
    return false;
  }

  private void put(ModelMeasure measure, SampleSink sink) {
    List<FoldedSeries> all = measure.inOrder();
    for (int i = 0; i < all.size(); i++) {
      FoldedSeries one = all.get(i);
      if (one.seen(round)) {
        sink.add(one.metric(), one.labels(), one.value(round));
      }
    }
  }
}
