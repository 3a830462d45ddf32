package io.lapwing.agent.sources;

import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
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
}
