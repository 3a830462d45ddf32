package io.lapwing.inference;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.SourceSet;
import io.lapwing.exposition.ExpositionText;
import io.lapwing.exposition.SampleNames;
import io.lapwing.http.HttpClient;
import io.lapwing.http.HttpFailure;
import io.lapwing.http.HttpHead;
import io.lapwing.metric.Labels;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Finds inference engines, starts a source for each and exposes {@code lapwing_inference_engines}.
 * Configured URLs are always scraped. With auto-discovery, the default ports of this host are
 * probed once a minute, if root or a user of a GPU listens there; engines found are kept until they
 * have been silent for an hour, or another user has their port.
 */
public final class InferenceSource extends FixedSource {

  public static final String COLLECTOR = "inference";

  static final String NAME = "inference";

  /** The collector of the engines' metrics. */
  public static final String ENGINES_COLLECTOR = "inference_engines";

  private static final Duration CONNECT = Duration.ofMillis(500);

  /** Below the deadline after which a source counts as hung. */
  private static final Duration WHOLE = Duration.ofSeconds(2);

  private static final Duration FORGET = Duration.ofHours(1);

  private static final Access NONE = new Access.NothingHere("no engine on the default ports");

  private final List<EngineAddress> pages;
  private final DefaultPorts ports;
  private final PortOwners owners;
  private final SeriesRoom room = new SeriesRoom(SeriesRoom.MAX_SERIES);
  private final SourceSet sources;
  private final HttpClient http;
  private final Map<EngineAddress, EngineSource> engines = new LinkedHashMap<>();

  /**
   * With {@code auto}, probes the default ports that {@code owners} accepts; a page's default path
   * is {@code /metrics}.
   */
  public InferenceSource(boolean auto, List<URI> pages, PortOwners owners, SourceSet sources) {
    this(
        pages, auto ? DefaultPorts.ALL : List.of(), owners, sources, HttpClient.of(CONNECT, WHOLE));
  }

  InferenceSource(
      List<URI> pages, List<Integer> ports, PortOwners owners, SourceSet sources, HttpClient http) {
    super(NAME, SERVICES);
    add(COLLECTOR, Cadence.SLOW, this::collect);
    this.pages = EngineAddress.all(pages);
    this.ports = new DefaultPorts(ports, owners, http.nanoTime());
    this.owners = owners;
    this.sources = sources;
    this.http = http;
  }

  @Override
  public Access begin(List<Collector> due) {
    LongSupplier nanoTime = http.nanoTime();
    pages.forEach(this::follow);
    for (EngineSource one : List.copyOf(engines.values())) {
      boolean silent = nanoTime.getAsLong() - one.answered() > FORGET.toNanos();
      if (silent || !mayServe(one.address())) {
        forget(one.address());
      }
    }
    ports.probe(engines.keySet()).forEach(this::follow);
    return engines.isEmpty() ? NONE : Access.READY;
  }

  /** Another program may have bound the port of an engine that ended. */
  private boolean mayServe(EngineAddress page) {
    return pages.contains(page) || owners.of(page.port()) != PortOwners.Owner.FOREIGN;
  }

  private void follow(EngineAddress page) {
    engines.computeIfAbsent(
        page,
        unknown -> {
          EngineSource source = new EngineSource(page, http, room);
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

  private void collect(SampleSink sink) {
    sink.add(InferenceMetrics.ENGINES, Labels.NONE, engines.size());
  }

  static final class DefaultPorts {

    /**
     * vLLM and Dynamo's frontend 8000, SGLang 30000, TGI 3000, 80 in its container and 8080 in its
     * documentation; Dynamo's workers 8081.
     */
    static final List<Integer> ALL = List.of(8000, 30000, 8080, 8081, 3000, 80);

    private static final Duration CONNECT = Duration.ofMillis(200);
    private static final Duration WHOLE = Duration.ofSeconds(1);

    /** After this time the remaining ports are left for the next probe. */
    private static final Duration ENOUGH = Duration.ofSeconds(2);

    /** Limits the cost of other services on these ports. */
    private static final ExpositionText.Limits LIMITS =
        new ExpositionText.Limits(4 << 20, 100_000, 4 << 10, 0, 0);

    private final List<Integer> ports;
    private final PortOwners owners;
    private final HttpClient http;
    private final ExpositionText text =
        new ExpositionText(SampleNames.of(List.of(), Engine.PREFIXES), LIMITS);
    private int next;

    DefaultPorts(List<Integer> ports, PortOwners owners, LongSupplier nanoTime) {
      this.ports = ports;
      this.owners = owners;
      this.http = new HttpClient(CONNECT, WHOLE, nanoTime);
    }

    List<EngineAddress> probe(Set<EngineAddress> known) {
      List<EngineAddress> found = new ArrayList<>();
      long begin = http.nanoTime().getAsLong();
      for (int i = 0; i < ports.size(); i++) {
        EngineAddress page = EngineAddress.local(ports.get(next));
        next = (next + 1) % ports.size();
        if (!known.contains(page)
            && owners.of(page.port()) == PortOwners.Owner.TRUSTED
            && isEngine(page)) {
          found.add(page);
        }
        if (http.nanoTime().getAsLong() - begin > ENOUGH.toNanos()) {
          break;
        }
      }
      return found;
    }

    private boolean isEngine(EngineAddress page) {
      try {
        return http.send(
            page.request(),
            (head, body) ->
                head.status() == HttpHead.OK
                    && Engine.of(text.read(body, none -> {}).prefixes()).isPresent());
      } catch (HttpFailure noEngine) {
        return false;
      }
    }
  }
}
