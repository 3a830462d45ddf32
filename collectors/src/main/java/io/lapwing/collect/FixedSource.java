package io.lapwing.collect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A source whose name, place and collectors are known when it is created. */
public abstract class FixedSource implements Source {

  private final String name;
  private final Optional<String> parent;
  private final String workerGroup;
  private final Optional<Part> part;
  private final List<Collector> collectors = new ArrayList<>();

  /** A root that reads files. */
  protected FixedSource(String name, Part... part) {
    this(name, Optional.empty(), FILES, part);
  }

  /** A root that shares its thread with the others of a worker group. */
  protected FixedSource(String name, String workerGroup, Part... part) {
    this(name, Optional.empty(), workerGroup, part);
  }

  /** A source that {@code parent} discovers. */
  protected FixedSource(String name, String parent, String workerGroup, Part... part) {
    this(name, Optional.of(parent), workerGroup, part);
  }

  private FixedSource(String name, Optional<String> parent, String workerGroup, Part... part) {
    this.name = name;
    this.parent = parent;
    this.workerGroup = workerGroup;
    this.part = Stream.of(part).findFirst();
  }

  /** Called by constructors, in the order in which the collectors run. */
  protected final void add(Collector collector) {
    collectors.add(collector);
  }

  protected final void add(String collector, Cadence cadence, Consumer<SampleSink> body) {
    add(Collector.of(collector, cadence, body));
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Optional<String> parent() {
    return parent;
  }

  @Override
  public final String workerGroup() {
    return workerGroup;
  }

  @Override
  public Optional<Part> part() {
    return part;
  }

  @Override
  public final List<Collector> collectors() {
    return Collections.unmodifiableList(collectors);
  }
}
