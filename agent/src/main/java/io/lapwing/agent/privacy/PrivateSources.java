package io.lapwing.agent.privacy;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Series;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Sources whose samples show what {@link Privacy} allows. */
public final class PrivateSources implements SourceSet {

  private final SourceSet sources;
  private final Privacy privacy;

  /** The names that are shown, by the sources' own. */
  private final Map<String, String> names = new ConcurrentHashMap<>();

  private PrivateSources(SourceSet sources, Privacy privacy) {
    this.sources = sources;
    this.privacy = privacy;
  }

  /** As the given sources if everything is shown. */
  public static SourceSet of(SourceSet sources, Privacy privacy) {
    return privacy.isOpen() ? sources : new PrivateSources(sources, privacy);
  }

  @Override
  public void add(Source source) {
    PrivateSource shown = new PrivateSource(source, privacy);
    names.put(source.name(), shown.name());
    sources.add(shown);
  }

  @Override
  public void remove(String name) {
    String shown = names.remove(name);
    sources.remove(shown == null ? name : shown);
  }

  @Override
  public void wake(String name) {
    sources.wake(names.getOrDefault(name, name));
  }

  private static final class PrivateSource implements Source {
    private final Source source;
    private final Privacy privacy;
    private final Map<String, PrivateCollector> collectors = new HashMap<>();

    /** The source's own list for each list of due collectors, of which there are few. */
    private final IdentityHashMap<List<Collector>, List<Collector>> due = new IdentityHashMap<>();

    private final Shown up;

    PrivateSource(Source source, Privacy privacy) {
      this.source = source;
      this.privacy = privacy;
      this.up = new Shown(privacy, source.nameOwner());
    }

    @Override
    public String name() {
      return privacy.source(source.name(), source.nameOwner());
    }

    @Override
    public Optional<String> parent() {
      return source.parent();
    }

    @Override
    public String workerGroup() {
      String group = source.workerGroup();
      return group.equals(source.name()) ? name() : group;
    }

    @Override
    public Optional<Part> part() {
      return source.part().map(part -> privacy.part(part, source.nameOwner()));
    }

    @Override
    public PageShare share() {
      return source.share();
    }

    @Override
    public synchronized List<Collector> collectors() {
      return source.collectors().stream().<Collector>map(this::shown).toList();
    }

    private PrivateCollector shown(Collector collector) {
      PrivateCollector known = collectors.get(collector.name());
      if (known == null || !known.collector.equals(collector)) {
        known = new PrivateCollector(collector, privacy, source.nameOwner());
        collectors.put(collector.name(), known);
      }
      return known;
    }

    @Override
    public Access begin(List<Collector> now) {
      return source.begin(due.computeIfAbsent(now, PrivateSource::own));
    }

    private static List<Collector> own(List<Collector> shown) {
      return shown.stream()
          .map(one -> one instanceof PrivateCollector mine ? mine.collector : one)
          .toList();
    }

    @Override
    public Optional<Series> up() {
      return source.up().map(series -> new Series(series.metric(), up.of(series.labels())));
    }

    @Override
    public void close() {
      source.close();
    }
  }

  /** Labels that are made once for each of the source: renderers recognise them by identity. */
  private static final class Shown {
    private static final int MAX_KNOWN = 5_000;
    private final Privacy privacy;
    private final Optional<Source.NameOwner> owner;
    private final IdentityHashMap<Labels, Labels> known = new IdentityHashMap<>();

    Shown(Privacy privacy, Optional<Source.NameOwner> owner) {
      this.owner = owner;
      this.privacy = privacy;
    }

    @SuppressWarnings("ReferenceEquality") // the same object means that nothing is private
    synchronized Labels of(Labels labels) {
      if (known.size() >= MAX_KNOWN) {
        known.clear();
      }
      Labels before = known.get(labels);
      if (before != null) {
        return before;
      }
      Labels now = privacy.labels(labels, owner);
      if (now != labels) {
        known.put(labels, now);
      }
      return now;
    }
  }

  private static final class PrivateCollector implements Collector {
    private final Collector collector;
    private final Privacy privacy;
    private final Shown shown;

    PrivateCollector(Collector collector, Privacy privacy, Optional<Source.NameOwner> owner) {
      this.collector = collector;
      this.privacy = privacy;
      this.shown = new Shown(privacy, owner);
    }

    @Override
    public String name() {
      return collector.name();
    }

    @Override
    public Cadence cadence() {
      return collector.cadence();
    }

    @Override
    public void collect(SampleSink sink) {
      collector.collect(
          new SampleSink() {
            @Override
            public void add(Metric metric, Labels labels, double value) {
              if (!privacy.omits(metric)) {
                sink.add(metric, shown.of(labels), value);
              }
            }

            @Override
            public void failed(String question, String reason) {
              sink.failed(question, reason);
            }
          });
    }
  }
}
