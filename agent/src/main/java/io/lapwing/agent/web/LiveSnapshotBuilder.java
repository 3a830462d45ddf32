package io.lapwing.agent.web;

import io.lapwing.agent.health.HealthMetrics;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SourceStatus;
import io.lapwing.agent.sources.SourceView;
import io.lapwing.agent.web.LiveSnapshot.LiveRow;
import io.lapwing.agent.web.LiveTables.LiveTable;
import io.lapwing.collect.CollectorRun;
import io.lapwing.gpu.MigMetrics;
import io.lapwing.metric.MetricType;
import io.lapwing.metric.NaturalOrder;
import io.lapwing.metric.Samples;
import io.lapwing.metric.Series;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Builds a {@link LiveSnapshot} on request, and has the sources read at their own cadences for a
 * while; {@code lost} is training time by rank and cause.
 */
public record LiveSnapshotBuilder(
    Poller poller, Cadences cadences, InstantSource clock, Supplier<List<Slowness.Total>> lost) {

  public LiveSnapshot live() {
    poller.watched();
    Instant now = clock.instant();
    Rows rows = new Rows();
    List<LiveSnapshot.Problem> problems = new ArrayList<>();
    for (SourceView source : poller.sources()) {
      source.up().ifPresent(up -> rows.add(up, source.answers() ? 1 : 0, now));
      for (CollectorRun.Collected run : source.current(cadences)) {
        rows.add(run.samples(), run.at());
        source.before(run).ifPresent(before -> rows.addRates(before, run));
      }
      problem(source).ifPresent(problems::add);
      source.runs().forEach(run -> broken(source, run).ifPresent(problems::add));
    }
    for (Slowness.Total total : lost.get()) {
      rows.add(new Series(HealthMetrics.TRAINING_LOST, total.labels()), total.seconds(), now);
    }
    return new LiveSnapshot(now, rows.tables(), problems);
  }

  private static Optional<LiveSnapshot.Problem> problem(SourceView source) {
    SourceStatus status = source.status();
    return status.answers() || status instanceof SourceStatus.NothingHere
        ? Optional.empty()
        : Optional.of(
            new LiveSnapshot.Problem(
                source.name(), "", status.text(), status.why(), status.hungFor()));
  }

  private static Optional<LiveSnapshot.Problem> broken(SourceView source, CollectorRun run) {
    return source.answers() && run instanceof CollectorRun.Broken broken
        ? Optional.of(
            new LiveSnapshot.Problem(
                source.name(), run.collector(), "broken", broken.why(), Duration.ZERO))
        : Optional.empty();
  }

  private static final class Rows {
    private static final double NANOS = 1e9;

    /** Devices that appeared late or are lost are among the others. */
    private static final Comparator<List<String>> BY_DEVICE =
        Comparator.comparing(key -> key.get(0), NaturalOrder.OF_NAMES);

    private final Map<String, Map<List<String>, LiveRow>> tables = new LinkedHashMap<>();

    Rows() {
      LiveTables.ALL.forEach(
          table ->
              tables.put(
                  table.name(),
                  table.equals(LiveTables.EFA) ? new TreeMap<>(BY_DEVICE) : new LinkedHashMap<>()));
    }

    void add(Samples samples, Instant at) {
      for (int i = 0; i < samples.size(); i++) {
        add(samples.series().get(i), samples.value(i), at);
      }
    }

    /** Without an answer where the series differ: a part was added or removed. */
    @SuppressWarnings("ReferenceEquality")
    void addRates(CollectorRun.Collected before, CollectorRun.Collected now) {
      List<Series> all = now.samples().series();
      double seconds = (now.ended() - before.ended()) / NANOS;
      if (all != before.samples().series() || seconds <= 0) {
        return;
      }
      for (int i = 0; i < all.size(); i++) {
        Series series = all.get(i);
        if (series.metric().type() != MetricType.GAUGE) {
          addRate(series, (now.samples().value(i) - before.samples().value(i)) / seconds);
        }
      }
    }

    private void addRate(Series series, double perSecond) {
      for (LiveTable table : LiveTables.ALL) {
        for (LiveTable.Column column : table.columns(series)) {
          table.key(series.labels()).ifPresent(key -> row(table, key).addRate(column, perSecond));
        }
      }
    }

    void add(Series series, double value, Instant at) {
      for (LiveTable table : LiveTables.ALL) {
        for (LiveTable.Column column : table.columns(series)) {
          table
              .key(series.labels())
              .ifPresent(key -> row(table, key).add(column, series, value, at));
        }
      }
    }

    private LiveRow row(LiveTable table, List<String> key) {
      Map<List<String>, LiveRow> rows =
          tables.computeIfAbsent(table.name(), unseen -> new LinkedHashMap<>());
      return rows.computeIfAbsent(
          table.equals(LiveTables.TRAINING) ? ofRank(key, rows.keySet()) : key,
          unseen -> newRow(table, key));
    }

    /** A rank's loss to another one has no GPU label: it belongs to the row of the rank. */
    private static List<String> ofRank(List<String> key, Set<List<String>> rows) {
      int gpu = key.size() - 1;
      return !key.get(gpu).isEmpty() || rows.contains(key)
          ? key
          : rows.stream()
              .filter(row -> row.subList(0, gpu).equals(key.subList(0, gpu)))
              .findFirst()
              .orElse(key);
    }

    private static LiveRow newRow(LiveTable table, List<String> key) {
      LiveRow row = new LiveRow();
      for (int i = 0; i < key.size(); i++) {
        row.text(table.keys().get(i), key.get(i));
      }
      return row;
    }

    Map<String, List<LiveRow>> tables() {
      // A job may name an instance that is not there.
      tables
          .getOrDefault(LiveTables.INSTANCES.name(), Map.of())
          .values()
          .removeIf(row -> !row.texts().containsKey(MigMetrics.PROFILE));
      Map<String, List<LiveRow>> all = new LinkedHashMap<>();
      tables.forEach((name, rows) -> all.put(name, List.copyOf(rows.values())));
      return all;
    }
  }
}
