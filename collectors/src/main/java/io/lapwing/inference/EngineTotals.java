package io.lapwing.inference;

import io.lapwing.collect.SampleSink;
import io.lapwing.exposition.ExposedSample;
import io.lapwing.exposition.KnownSeries;
import io.lapwing.metric.LabelText;
import io.lapwing.metric.Labels;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the pages of one address said, re-labelled and folded. While a page has the same series as
 * the one before, it costs no object here.
 */
final class EngineTotals {

  /** An engine has 80 for a model. */
  static final int MOST_SERIES = 4_000;

  private static final int MOST_REPLICAS = 256;
  private static final int MOST_BOUND_CHARS = 32;
  private static final int MOST_KNOWN = 16_000;

  /** Those that say the same thing by different names stand together, the newest name first. */
  private static final Comparator<ModelMeasure> ORDER =
      Comparator.comparing((ModelMeasure one) -> one.series().engine())
          .thenComparing(one -> one.series().measure())
          .thenComparing(ModelMeasure::model)
          .thenComparing(one -> one.series().choice());

  /**
   * A measure of a model under one name; a name that shares its choice with another is the same.
   */
  private record Key(Engine engine, Measure measure, String model, int choice) {}

  /** Where a line's value goes; nowhere where it is not to be counted. */
  private record Place(FoldedSeries.@Nullable Replica replica) {}

  private static final Place NOWHERE = new Place(null);

  private final String address;
  private final Function<ExposedSample, Place> unseen = this::place;
  private KnownSeries<Place> known = new KnownSeries<>(MOST_KNOWN);
  private final Map<Key, ModelMeasure> measures = new HashMap<>();
  private List<ModelMeasure> inOrder = List.of();
  private int series;
  private long round;
  private boolean tooMany;
  private long nonsense;

  EngineTotals(String address) {
    this.address = address;
  }

  /** Before a page. */
  void begin() {
    if (tooMany) {
      forget();
    }
    round++;
    nonsense = 0;
  }

  /** Forgets what the pages before had: another engine has come. */
  void forget() {
    known = new KnownSeries<>(MOST_KNOWN);
    measures.clear();
    inOrder = List.of();
    series = 0;
    tooMany = false;
  }

  /** Whether some series of the page were left for want of room. */
  boolean tooMany() {
    return tooMany;
  }

  /** How many values were no number of anything: negative, infinite or none. */
  long nonsense() {
    return nonsense;
  }

  void take(ExposedSample sample) {
    double value = sample.value();
    if (!(value >= 0) || Double.isInfinite(value)) {
      nonsense++;
      return;
    }
    FoldedSeries.Replica replica = known.of(sample, unseen).replica();
    if (replica != null) {
      replica.take(value, round);
    }
  }

  private Place place(ExposedSample sample) {
    SampleMeaning meaning = SampleMeaning.of(sample.name());
    if (meaning == null) {
      return NOWHERE;
    }
    String bound = meaning.bucket() ? sample.label("le") : "";
    if (bound == null || (meaning.bucket() && !isBound(bound))) {
      return NOWHERE;
    }
    boolean replicas = meaning.series().fold() == Fold.REPLICAS;
    String priority = replicas ? sample.label("priority") : null;
    if (priority != null && !priority.isEmpty()) {
      return NOWHERE;
    }
    String replica = replicas ? sample.label("dp_rank") : null;
    return place(meaning, model(meaning, sample), bound, replica == null ? "" : replica);
  }

  private static boolean isBound(String text) {
    return !text.isEmpty()
        && text.length() <= MOST_BOUND_CHARS
        && text.chars().allMatch(one -> "0123456789.+-eInf".indexOf(one) >= 0);
  }

  private Place place(SampleMeaning meaning, String model, String bound, String replica) {
    EngineSeries name = meaning.series();
    Key key = new Key(name.engine(), name.measure(), model, name.choice());
    ModelMeasure measure = measures.get(key);
    if (measure == null || !measure.has(meaning.metric(), bound)) {
      if (series == MOST_SERIES) {
        tooMany = true;
        return NOWHERE;
      }
      series++;
    }
    if (measure == null) {
      measure = new ModelMeasure(name, model, labels(name.engine(), model));
      measures.put(key, measure);
    }
    FoldedSeries folded = measure.series(meaning.metric(), bound);
    if (folded.replicas() == MOST_REPLICAS) {
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

  private static String model(SampleMeaning meaning, ExposedSample sample) {
    String label = meaning.series().engine().modelLabel();
    String name = label.isEmpty() ? null : sample.label(label);
    return name == null ? "" : LabelText.clean(name);
  }

  /** What the page of this round said of an engine: of two names for one thing, the newer one's. */
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
    for (int i = index - 1; i >= 0 && inOrder.get(i).isLike(inOrder.get(index)); i--) {
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
