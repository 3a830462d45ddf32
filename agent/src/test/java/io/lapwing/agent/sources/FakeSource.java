package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A scripted source. */
public final class FakeSource implements Source {

  public static final Metric RATIO = Metric.gauge("lapwing_test_ratio", "A help.", "source");
  public static final Metric UP = Metric.gauge("lapwing_test_up", "A help.", "source");

  private final String name;
  private final Optional<String> parent;
  private final List<Collector> collectors = new ArrayList<>();
  private final List<List<String>> begun = new ArrayList<>();
  private final AtomicInteger closed = new AtomicInteger();
  private volatile PageShare share = PageShare.NODE;
  private volatile Supplier<Access> access = () -> Access.READY;
  private volatile CountDownLatch gate = new CountDownLatch(0);

  public FakeSource(String name) {
    this(name, Optional.empty());
  }

  /** A source that another one discovered. */
  public FakeSource(String name, Optional<String> parent) {
    this.name = name;
    this.parent = parent;
  }

  /** With one collector more. */
  public FakeSource with(String collector, Cadence cadence, Consumer<SampleSink> collect) {
    collectors.add(new FakeCollector(collector, cadence, collect));
    return this;
  }

  /** With a collector that writes one series of that value. */
  public FakeSource with(String collector, Cadence cadence, double value) {
    Labels labels = Labels.of("source", name, "collector", collector);
    return with(collector, cadence, sink -> sink.add(RATIO, labels, value));
  }

  public FakeSource sharing(PageShare other) {
    share = other;
    return this;
  }

  public void is(Access found) {
    access = () -> found;
  }

  public void throwsWhenRead(Supplier<? extends RuntimeException> bug) {
    access =
        () -> {
          throw bug.get();
        };
  }

  /** From now on a round does not come back. */
  public void hang() {
    gate = new CountDownLatch(1);
  }

  public void comeBack() {
    gate.countDown();
  }

  /** The names of the collectors that were due, round by round. */
  public synchronized List<List<String>> begun() {
    return List.copyOf(begun);
  }

  public int closed() {
    return closed.get();
  }

  @Override
  public String name() {
    return name;
  }

  /** Its own, so that a test finds its thread. */
  @Override
  public String workerGroup() {
    return name;
  }

  @Override
  public Optional<String> parent() {
    return parent;
  }

  @Override
  public PageShare share() {
    return share;
  }

  @Override
  public List<Collector> collectors() {
    return List.copyOf(collectors);
  }

  @Override
  public Access begin(List<Collector> due) {
    note(due);
    try {
      gate.await();
    } catch (InterruptedException unasked) {
      throw new IllegalStateException(unasked);
    }
    return access.get();
  }

  private synchronized void note(List<Collector> due) {
    begun.add(due.stream().map(Collector::name).toList());
  }

  @Override
  public Optional<Series> up() {
    return Optional.of(new Series(UP, Labels.of("source", name)));
  }

  @Override
  public void close() {
    closed.incrementAndGet();
  }

  private record FakeCollector(String name, Cadence cadence, Consumer<SampleSink> collect)
      implements Collector {

    @Override
    public void collect(SampleSink sink) {
      collect.accept(sink);
    }
  }
}
