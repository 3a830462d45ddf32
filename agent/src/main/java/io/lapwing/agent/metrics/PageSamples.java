package io.lapwing.agent.metrics;

import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SourceView;
import io.lapwing.collect.CollectorRun;
import io.lapwing.metric.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** All samples of a scrape: sources, node health, collection status. Thread-safe. */
public final class PageSamples {

  private final Poller poller;
  private final Cadences cadences;
  private final SelfReport report;
  private final Supplier<Samples> health;
  private final UnaryOperator<List<Samples>> view;

  /** {@code health} is called by one thread at a time. */
  public PageSamples(
      Poller poller, Cadences cadences, SelfReport report, Supplier<Samples> health) {
    this(poller, cadences, report, health, UnaryOperator.identity());
  }

  /** As above; {@code view} relabels the samples of the sources and is called by any thread. */
  public PageSamples(
      Poller poller,
      Cadences cadences,
      SelfReport report,
      Supplier<Samples> health,
      UnaryOperator<List<Samples>> view) {
    this.poller = poller;
    this.cadences = cadences;
    this.report = report;
    this.health = health;
    this.view = view;
  }

  /** The samples of all collectors, health and collection status. */
  List<Samples> all() {
    // Read source states once, so that a response never shows a source as down next to its values.
    List<SourceView> sources = poller.sources();
    List<Samples> samples = current(sources, collector -> true);
    samples.add(health.get());
    int series = samples.stream().mapToInt(Samples::listed).sum();
    samples.add(report.samples(sources, poller.errors(), series));
    return samples;
  }

  List<Samples> of(Predicate<String> collectors) {
    return current(poller.sources(), collectors);
  }

  private List<Samples> current(List<SourceView> sources, Predicate<String> collectors) {
    List<Samples> samples = new ArrayList<>();
    for (SourceView source : sources) {
      for (CollectorRun.Collected run : source.current(cadences)) {
        if (collectors.test(run.collector())) {
          samples.add(run.samples());
        }
      }
    }
    return view.apply(samples);
  }
}
