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

/**
 * All that is to be shown now: the samples of the sources that still hold, how the node is, then
 * the agent's report of its reading. Thread-safe.
 */
public final class PageSamples {

  private final Poller poller;
  private final Cadences cadences;
  private final SelfReport report;
  private final Supplier<Samples> health;
  private final UnaryOperator<List<Samples>> view;

  /**
   * What these sources see, and what is made of it.
   *
   * @param health how the node is; asked by one thread at a time
   */
  public PageSamples(
      Poller poller, Cadences cadences, SelfReport report, Supplier<Samples> health) {
    this(poller, cadences, report, health, UnaryOperator.identity());
  }

  /**
   * The same under other labels.
   *
   * @param view what becomes of what the sources see; asked by any thread
   */
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

  /** Of every collector. */
  List<Samples> all() {
    // Once: a source that begins to hang meanwhile is not down beside its values.
    List<SourceView> sources = poller.sources();
    List<Samples> samples = seen(sources, collector -> true);
    samples.add(health.get());
    int series = samples.stream().mapToInt(Samples::listed).sum();
    samples.add(report.samples(sources, poller.errors(), series));
    return samples;
  }

  /** Of some collectors, without the report. */
  List<Samples> of(Predicate<String> collectors) {
    return seen(poller.sources(), collectors);
  }

  private List<Samples> seen(List<SourceView> sources, Predicate<String> collectors) {
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
