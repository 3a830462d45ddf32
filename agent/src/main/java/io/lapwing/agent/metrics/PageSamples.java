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
 * All samples of a scrape: sources, node health, collection status. Thread-safe.
 *
 * @param poller has the sources
 * @param cadences limit the age of a sample
 * @param report adds the collection status
 * @param health is called by one thread at a time
 * @param view relabels the samples of the sources; called by any thread
 */
public record PageSamples(
    Poller poller,
    Cadences cadences,
    SelfReport report,
    Supplier<Samples> health,
    UnaryOperator<List<Samples>> view) {

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
