package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.Values;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import io.lapwing.metric.Series;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The positions of families in one source's samples, valid while its collectors write the same
 * series.
 */
final class SeriesIndex {

  private static final String UUID = "UUID";
  private static final String MIG_PROFILE = "GPU_I_PROFILE";

  /** {@code gpu} and {@code UUID} come first in Lapwing's own families. */
  private static final int OWN_LABELS = 2;

  private static final Family EMPTY = new Family(0);

  private final List<List<Series>> series;
  private final Map<String, Family> families = new HashMap<>();

  /** The next index has the same objects, so that {@link TrendTable} need not compare text. */
  private final Map<List<String>, List<String>> labels = new HashMap<>();

  private SeriesIndex(List<List<Series>> series) {
    this.series = series;
  }

  interface Owner {
    /** The values of the labels after the owner's own; empty for a series of another owner. */
    Optional<List<String>> more(Series series);
  }

  /** Where the values of a family are in one collector's samples. Not changed once it is built. */
  static final class Family {

    /** So few are compared one by one: nearly all families of a source have one series. */
    private static final int FEW = 8;

    private final int samples;
    private final List<Place> list = new ArrayList<>(1);

    /** Of families with many series only. */
    private Map<List<String>, Integer> places = Map.of();

    private record Place(List<String> labels, Integer at) {}

    private Family(int samples) {
      this.samples = samples;
    }

    private void add(List<String> labels, int at) {
      if (at(labels) != null) {
        return;
      }
      list.add(new Place(labels, at));
      if (list.size() == FEW + 1) {
        places = new HashMap<>();
        list.forEach(place -> places.put(place.labels(), place.at()));
      } else if (list.size() > FEW) {
        places.put(labels, at);
      }
    }

    boolean isEmpty() {
      return list.isEmpty();
    }

    /** Which of the samples have the family. */
    int samples() {
      return samples;
    }

    /** The position of the value with these further labels, or null. */
    @Nullable Integer at(List<String> labels) {
      if (list.size() > FEW) {
        return places.get(labels);
      }
      for (Place place : list) {
        if (place.labels().equals(labels)) {
          return place.at();
        }
      }
      return null;
    }

    /** Passes the values on, from samples of the same series. */
    void each(Samples from, Values.Each each) {
      for (int i = 0; i < list.size(); i++) {
        Place place = list.get(i);
        each.value(place.labels(), from.value(place.at()));
      }
    }
  }

  /**
   * A GPU's series, without those of its MIG instances; of a DCGM family, the labels that it has
   * beyond those of every family count, whatever a field file adds.
   */
  static Owner gpu(String uuid) {
    return series -> {
      Labels labels = series.labels();
      int at = labels.names().indexOf(UUID);
      if (at < 0 || !labels.values().get(at).equals(uuid) || labels.names().contains(MIG_PROFILE)) {
        return Optional.empty();
      }
      return Optional.of(series.metric().foreign() ? further(series) : after(labels, OWN_LABELS));
    };
  }

  private static List<String> further(Series series) {
    List<String> all = series.metric().labels();
    if (all.size() <= DcgmMetrics.LABELS.size()) {
      return List.of();
    }
    Labels labels = series.labels();
    return all.stream()
        .filter(name -> !DcgmMetrics.LABELS.contains(name))
        .map(name -> labels.values().get(labels.names().indexOf(name)))
        .toList();
  }

  static Owner labelled(Labels own) {
    int count = own.names().size();
    return series -> {
      Labels labels = series.labels();
      return labels.names().size() >= count
              && labels.names().subList(0, count).equals(own.names())
              && labels.values().subList(0, count).equals(own.values())
          ? Optional.of(after(labels, count))
          : Optional.empty();
    };
  }

  private static List<String> after(Labels labels, int own) {
    List<String> values = labels.values();
    return List.copyOf(values.subList(Math.min(own, values.size()), values.size()));
  }

  /**
   * The series of an owner; where two collectors have a family, those of the first. {@code before}:
   * the index of the owner so far.
   */
  static SeriesIndex of(
      List<Samples> samples, Owner owner, Set<String> families, @Nullable SeriesIndex before) {
    SeriesIndex index = new SeriesIndex(samples.stream().map(Samples::series).toList());
    Owner same = before == null ? owner : series -> owner.more(series).map(before::known);
    for (int i = 0; i < samples.size(); i++) {
      index.add(i, samples.get(i).series(), same, families);
    }
    return index;
  }

  private void add(int samples, List<Series> some, Owner owner, Set<String> families) {
    for (int i = 0; i < some.size(); i++) {
      Series one = some.get(i);
      if (families.contains(one.metric().name())) {
        add(samples, one.metric().sampleName(), owner.more(one), i);
      }
    }
  }

  private void add(int samples, String name, Optional<List<String>> some, int at) {
    if (some.isPresent()) {
      Family family = families.computeIfAbsent(name, unseen -> new Family(samples));
      if (family.samples() == samples) {
        family.add(labels.computeIfAbsent(some.get(), unseen -> unseen), at);
      }
    }
  }

  private List<String> known(List<String> some) {
    return labels.getOrDefault(some, some);
  }

  @SuppressWarnings("ReferenceEquality") // a collector keeps its list while its series stay
  boolean fits(List<Samples> samples) {
    if (samples.size() != series.size()) {
      return false;
    }
    for (int i = 0; i < series.size(); i++) {
      if (series.get(i) != samples.get(i).series()) {
        return false;
      }
    }
    return true;
  }

  Family family(Metric metric) {
    return families.getOrDefault(metric.sampleName(), EMPTY);
  }
}
