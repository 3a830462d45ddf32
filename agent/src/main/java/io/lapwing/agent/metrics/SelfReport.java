package io.lapwing.agent.metrics;

import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.ReadErrors;
import io.lapwing.agent.sources.SourceStatus;
import io.lapwing.agent.sources.SourceView;
import io.lapwing.collect.CollectMetrics;
import io.lapwing.collect.CollectorRun;
import io.lapwing.collect.PageShare;
import io.lapwing.metric.Labels;
import io.lapwing.metric.SampleBuffer;
import io.lapwing.metric.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The status of sources and collectors as samples; see {@code docs/metrics.md}. Not thread-safe.
 */
public final class SelfReport {

  private final Cadences cadences;
  private final Labels build;
  private final ReloadReport reloads;
  private final SampleBuffer buffer = new SampleBuffer();
  private final Map<List<String>, Labels> labels = new HashMap<>();

  /** By source; apart from the others, because sources come and go with jobs. */
  private final Map<String, Labels> ofSources = new HashMap<>();

  public SelfReport(Cadences cadences, Build build, ReloadReport reloads) {
    this.reloads = reloads;
    this.cadences = cadences;
    this.build =
        Labels.of(
            "version", build.version(),
            "revision", build.revision(),
            "java_version", build.javaVersion());
  }

  /** {@code series} on the page, those that it lacks, and its preset. */
  synchronized Samples samples(
      List<SourceView> sources,
      ReadErrors errors,
      int series,
      Map<PageShare, PageBudget.Missing> leftOut,
      Preset preset) {
    buffer.add(CollectMetrics.BUILD_INFO, build, 1);
    buffer.add(CollectMetrics.PRESET, labels("preset", preset.text()), 1);
    ReloadReport.State configuration = reloads.state();
    buffer.add(CollectMetrics.CONFIG_RELOADED, Labels.NONE, configuration.good() ? 1 : 0);
    buffer.add(
        CollectMetrics.CONFIG_RELOAD_TIME,
        Labels.NONE,
        configuration.last().toEpochMilli() / 1000.0);
    for (SourceView source : sources) {
      source.up().ifPresent(up -> buffer.add(up.metric(), up.labels(), source.answers() ? 1 : 0));
    }
    byCollector(sources).forEach((collector, runs) -> report(collector, runs, preset));
    for (ReadErrors.Count count : errors.counts()) {
      buffer.add(
          CollectMetrics.READ_ERRORS,
          labels("collector", count.collector(), "reason", count.reason()),
          (double) count.times());
    }
    ofSources.keySet().retainAll(sources.stream().map(SourceView::name).toList());
    sources.forEach(this::hung);
    buffer.add(CollectMetrics.SERIES, Labels.NONE, series);
    for (PageShare share : PageShare.values()) {
      if (share != PageShare.NODE) {
        leftOut(share, leftOut.getOrDefault(share, PageBudget.Missing.NONE));
      }
    }
    return buffer.take();
  }

  /** Cached labels. */
  int cached() {
    return labels.size() + ofSources.size();
  }

  private void leftOut(PageShare share, PageBudget.Missing missing) {
    Labels own = labels("kind", share.text());
    buffer.add(CollectMetrics.SOURCES_LEFT_OUT, own, missing.sources());
    buffer.add(CollectMetrics.SERIES_LEFT_OUT, own, missing.series());
  }

  private record SourceRun(SourceView source, CollectorRun run) {}

  private static Map<String, List<SourceRun>> byCollector(List<SourceView> sources) {
    Map<String, List<SourceRun>> runs = new TreeMap<>();
    for (SourceView source : sources) {
      for (CollectorRun run : source.runs()) {
        runs.computeIfAbsent(run.collector(), unseen -> new ArrayList<>())
            .add(new SourceRun(source, run));
      }
    }
    return runs;
  }

  /** How late a collector is matters while it fails; the preset full always has it. */
  private void report(String collector, List<SourceRun> runs, Preset preset) {
    Labels own = labels("collector", collector);
    long overdue = 0;
    boolean good = true;
    Duration longest = Duration.ZERO;
    for (SourceRun one : runs) {
      overdue += overdue(one) ? 1 : 0;
      good &= one.run().success();
      longest = one.run().took().compareTo(longest) > 0 ? one.run().took() : longest;
    }
    good &= overdue == 0;
    buffer.add(CollectMetrics.SUCCESS, own, good ? 1 : 0);
    buffer.add(CollectMetrics.DURATION, own, seconds(longest));
    if (!good || preset == Preset.FULL) {
      buffer.add(CollectMetrics.LAST_SUCCESS, own, oldestSuccess(runs));
      buffer.add(CollectMetrics.OVERDUE, own, (double) overdue);
    }
  }

  private boolean overdue(SourceRun one) {
    return one.source().overdue(one.run(), cadences);
  }

  private static double oldestSuccess(List<SourceRun> runs) {
    return runs.stream()
        .map(one -> one.source().lastSuccess(one.run().collector()))
        .mapToDouble(last -> last.map(Instant::toEpochMilli).orElse(0L) / 1000.0)
        .min()
        .orElse(0);
  }

  private void hung(SourceView source) {
    Labels own = ofSources.computeIfAbsent(source.name(), unseen -> Labels.of("source", unseen));
    boolean hung = source.status() instanceof SourceStatus.Hung;
    buffer.add(CollectMetrics.SOURCE_HUNG, own, hung ? 1 : 0);
    if (hung) {
      buffer.add(CollectMetrics.SOURCE_HUNG_SECONDS, own, seconds(source.status().hungFor()));
    }
  }

  /** Interned: the renderer caches by identity. */
  private Labels labels(String... namesAndValues) {
    return labels.computeIfAbsent(List.of(namesAndValues), unseen -> Labels.of(namesAndValues));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** The result of the last configuration reload. Thread-safe. */
  public static final class ReloadReport {

    private volatile State state;

    /** Whether the last attempt succeeded, and when one last did. */
    record State(boolean good, Instant last) {}

    /** Counts the start as a successful load. */
    public ReloadReport(Instant started) {
      this.state = new State(true, started);
    }

    public synchronized void succeeded(Instant now) {
      state = new State(true, now);
    }

    public synchronized void failed() {
      state = new State(false, state.last());
    }

    State state() {
      return state;
    }
  }
}
