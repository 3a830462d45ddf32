package io.lapwing.agent.sources;

import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import java.util.LinkedHashSet;
import java.util.Set;

/** A source with all those that it discovers, so that they stop together. Thread-safe. */
final class SourceGroup implements SourceSet, AutoCloseable {

  private final SourceSet all;
  private final Set<String> names = new LinkedHashSet<>();
  private boolean closed;

  SourceGroup(SourceSet all) {
    this.all = all;
  }

  /** Ignores sources that a round discovers after the group was stopped. */
  @Override
  public synchronized void add(Source source) {
    if (!closed) {
      names.add(source.name());
      all.add(source);
    }
  }

  @Override
  public synchronized void remove(String name) {
    if (!closed) {
      names.remove(name);
      all.remove(name);
    }
  }

  @Override
  public void wake(String name) {
    all.wake(name);
  }

  synchronized boolean has(String name) {
    return names.contains(name);
  }

  @Override
  public synchronized void close() {
    closed = true;
    names.forEach(all::remove);
    names.clear();
  }
}
