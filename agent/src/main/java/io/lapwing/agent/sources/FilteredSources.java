package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.Collector;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.Part;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.metric.Series;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Sources that run only the enabled collectors. */
record FilteredSources(SourceSet sources, Predicate<String> enabled) implements SourceSet {

  @Override
  public void add(Source source) {
    sources.add(new FilteredSource(source, enabled));
  }

  @Override
  public void remove(String name) {
    sources.remove(name);
  }

  @Override
  public void wake(String name) {
    sources.wake(name);
  }

  /**
   * Polled even without enabled collectors, since other sources depend on it; runs only enabled
   * ones.
   */
  private record FilteredSource(Source source, Predicate<String> enabled) implements Source {

    @Override
    public String name() {
      return source.name();
    }

    @Override
    public Optional<String> parent() {
      return source.parent();
    }

    @Override
    public String workerGroup() {
      return source.workerGroup();
    }

    @Override
    public Optional<Part> part() {
      return source.part();
    }

    @Override
    public PageShare share() {
      return source.share();
    }

    @Override
    public Optional<NameOwner> nameOwner() {
      return source.nameOwner();
    }

    @Override
    public List<Collector> collectors() {
      return source.collectors().stream()
          .filter(collector -> enabled.test(collector.name()))
          .toList();
    }

    @Override
    public Access begin(List<Collector> due) {
      return source.begin(due);
    }

    @Override
    public Optional<Series> up() {
      return source.up();
    }

    @Override
    public void close() {
      source.close();
    }
  }
}
