package io.lapwing.agent.metrics;

import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SourceView;
import io.lapwing.collect.CollectorRun;
import io.lapwing.metric.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
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
 * @param budget limits the size
 */
public record PageSamples(
    Poller poller,
    Cadences cadences,
    SelfReport report,
    Supplier<Samples> health,
    UnaryOperator<List<Samples>> view,
    PageBudget budget) {

  /** The samples of all collectors, health and collection status for the configured families. */
  List<Samples> all(PresetFilter filter) {
    return all(filter, budget::select);
  }

  /** The same for other families; what the budget leaves out here is not reported elsewhere. */
  List<Samples> others(PresetFilter filter) {
    return all(filter, budget::trial);
  }

  private List<Samples> all(
      PresetFilter filter, BiFunction<List<PageBudget.Part>, Samples, PageBudget.Selection> limit) {
    filter.begin();
    // Read source states once, so that a response never shows a source as down next to its values.
    List<SourceView> sources = poller.sources();
    List<PageBudget.Part> parts = current(sources, collector -> true, filter);
    Samples judged = filter.of(health.get());
    PageBudget.Selection selected = limit.apply(parts, judged);
    List<Samples> samples = new ArrayList<>(selected.samples());
    samples.add(judged);
    int series = samples.stream().mapToInt(Samples::listed).sum();
    samples.add(
        filter.of(
            report.samples(
                sources, poller.errors(), series, selected.missing(), filter.families().preset())));
    return samples;
  }

  /** The samples of matching collectors. */
  List<Samples> of(PresetFilter filter, Predicate<String> collectors) {
    return budget.trial(current(poller.sources(), collectors, filter), Samples.EMPTY).samples();
  }

  private List<PageBudget.Part> current(
      List<SourceView> sources, Predicate<String> collectors, PresetFilter filter) {
    List<Samples> samples = new ArrayList<>();
    List<Integer> ends = new ArrayList<>();
    for (SourceView source : sources) {
      for (CollectorRun.Collected run : source.current(cadences)) {
        if (collectors.test(run.collector())) {
          samples.add(run.samples());
        }
      }
      ends.add(samples.size());
    }
    List<Samples> shown = view.apply(samples).stream().map(filter::of).toList();
    List<PageBudget.Part> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < sources.size(); i++) {
      parts.add(new PageBudget.Part(sources.get(i), shown.subList(from, ends.get(i))));
      from = ends.get(i);
    }
    return parts;
  }
}
