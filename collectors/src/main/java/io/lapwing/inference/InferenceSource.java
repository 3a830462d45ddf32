package io.lapwing.inference;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.metric.Labels;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Finds the inference engines whose pages are to be read and starts a source for each:
 *
 * <pre>
 * lapwing_inference_engines 2
 * </pre>
 *
 * Pages that are named are read whether they answer or not. On its own it asks the usual ports of
 * this host once a minute and keeps what is an engine by the names on its page; one that has been
 * silent for an hour is forgotten.
 */
public final class InferenceSource implements Source {

  public static final String COLLECTOR = "inference";

  static final String NAME = "inference";

  /** The collector of the engines' pages. */
  public static final String ENGINES_COLLECTOR = "inference_engines";

  private static final Duration CONNECT = Duration.ofMillis(500);

  /** Below the time after which a source counts as hung. */
  private static final Duration WHOLE = Duration.ofSeconds(2);

  private static final Duration FORGET = Duration.ofHours(1);

  private static final Access NONE = new Access.NothingHere("no engine answers on the usual ports");

  private final List<EngineAddress> pages;
  private final UsualPorts ports;
  private final SourceSet sources;
  private final PageHttp http;
  private final Map<EngineAddress, EngineSource> engines = new LinkedHashMap<>();

  /**
   * The source of engines.
   *
   * @param auto whether the usual ports of this host are asked
   * @param pages to be read; without a path it is {@code /metrics}
   * @param sources where the sources of engines are started and stopped
   */
  public InferenceSource(boolean auto, List<URI> pages, SourceSet sources) {
    this(
        pages,
        auto ? UsualPorts.ALL : List.of(),
        sources,
        new PageHttp(CONNECT, WHOLE, System::nanoTime));
  }

  InferenceSource(List<URI> pages, List<Integer> ports, SourceSet sources, PageHttp http) {
    this.pages = pages.stream().map(EngineAddress::of).distinct().toList();
    this.ports = new UsualPorts(ports, http.nanoTime());
    this.sources = sources;
    this.http = http;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Collector> collectors() {
    return List.of(new Engines());
  }

  @Override
  public Access begin(List<Collector> due) {
    LongSupplier nanoTime = http.nanoTime();
    pages.forEach(this::follow);
    for (EngineSource one : List.copyOf(engines.values())) {
      if (nanoTime.getAsLong() - one.answered() > FORGET.toNanos()) {
        forget(one.address());
      }
    }
    ports.look(engines.keySet()).forEach(this::follow);
    return engines.isEmpty() ? NONE : Access.READY;
  }

  private void follow(EngineAddress page) {
    engines.computeIfAbsent(
        page,
        unknown -> {
          EngineSource source = new EngineSource(page, http);
          sources.add(source);
          return source;
        });
  }

  private void forget(EngineAddress page) {
    if (!pages.contains(page)) {
      engines.remove(page);
      sources.remove(page.sourceName());
    }
  }

  private final class Engines implements Collector {

    @Override
    public String name() {
      return COLLECTOR;
    }

    @Override
    public Cadence cadence() {
      return Cadence.SLOW;
    }

    @Override
    public void collect(SampleSink sink) {
      sink.add(InferenceMetrics.ENGINES, Labels.NONE, engines.size());
    }
  }
}
