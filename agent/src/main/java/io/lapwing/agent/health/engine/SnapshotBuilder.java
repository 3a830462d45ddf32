package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.DriverStatus.SilentGpu;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SourceStatus;
import io.lapwing.agent.sources.SourceView;
import io.lapwing.collect.CollectorRun;
import io.lapwing.collect.Part;
import io.lapwing.gpu.DriverSource;
import io.lapwing.gpu.GpuRelease;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import io.lapwing.xid.PciAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds the rules' snapshot of the node from the last readings. Used by one thread. */
public final class SnapshotBuilder implements HealthEvaluator.Snapshots {

  private static final String REOPENED = "the GPUs were released, and not all are read again yet";

  private final Sources sources;
  private final Supplier<NodeFacts> facts;
  private final Supplier<AgentStatus> agent;
  private final Set<String> families;

  /** By source. An index holds all series of its source, so none may outlive it. */
  private final Map<String, SeriesIndex> indexes = new HashMap<>();

  private final Map<String, String> pciTexts = new HashMap<>();

  /** Where the readings are. */
  public record Sources(Poller poller, Cadences cadences, GpuRoster roster, NvmlDriver driver) {}

  /** Snapshots of a poller's values, limited to these families. */
  public SnapshotBuilder(
      Sources sources,
      Supplier<NodeFacts> facts,
      Supplier<AgentStatus> agent,
      Collection<Metric> families) {
    this.sources = sources;
    this.facts = facts;
    this.agent = agent;
    this.families = families.stream().map(Metric::name).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public NodeSnapshot build(Instant now, History history, Trends trends) {
    Map<String, SourceView> views = new LinkedHashMap<>();
    sources.poller().sources().forEach(view -> views.put(view.name(), view));
    indexes.keySet().retainAll(views.keySet());
    DriverStatus driverNow = driver(views);
    List<GpuStatus> gpus = new ArrayList<>();
    for (GpuRoster.Known known : sources.roster().all()) {
      if (isPolled(known, views, driverNow)) {
        gpus.add(gpu(known, views, driverNow));
      }
    }
    List<PartStatus> parts = new ArrayList<>();
    for (SourceView source : views.values()) {
      if (source.part().isPresent() && source.settled()) {
        parts.add(part(source.part().get(), source));
      }
    }
    return new NodeSnapshot(now, facts.get(), driverNow, agent.get(), gpus, parts, history, trends);
  }

  /** Sources of which series are kept. */
  int indexed() {
    return indexes.size();
  }

  /** GPUs whose collectors are off, not read yet, or released are omitted: they are not lost. */
  private static boolean isPolled(
      GpuRoster.Known known, Map<String, SourceView> views, DriverStatus driverNow) {
    SourceView source = views.get(known.source());
    boolean polled =
        !(driverNow instanceof DriverStatus.NotPolled)
            && !(driverNow instanceof DriverStatus.Released);
    return polled && (source == null || source.settled());
  }

  private PartStatus part(Part part, SourceView source) {
    PartStatus.State state = state(source.status());
    return new PartStatus(
        part.kind(),
        part.name(),
        part.labels(),
        state,
        why(source.status()),
        state.answers() ? values(source, SeriesIndex.labelled(part.labels())) : Values.NONE);
  }

  private static PartStatus.State state(SourceStatus status) {
    if (status instanceof SourceStatus.Hung) {
      return PartStatus.State.HUNG;
    }
    if (status instanceof SourceStatus.Down) {
      return PartStatus.State.DOWN;
    }
    if (status instanceof SourceStatus.NothingHere) {
      return PartStatus.State.NOTHING_HERE;
    }
    return status instanceof SourceStatus.Answering answering && answering.late()
        ? PartStatus.State.ANSWERS_LATE
        : PartStatus.State.ANSWERS;
  }

  private static String why(SourceStatus status) {
    return status instanceof SourceStatus.Hung hung
        ? "a read has not come back for " + hung.since().toSeconds() + " s"
        : status.why();
  }

  private DriverStatus driver(Map<String, SourceView> views) {
    SourceView source = views.get(DriverSource.NAME);
    SourceStatus status = source == null ? new SourceStatus.Starting() : source.status();
    if (status instanceof SourceStatus.Hung hung) {
      return new DriverStatus.Hung(hung.since());
    }
    Optional<String> released = released(views);
    if (released.isPresent()) {
      return new DriverStatus.Released(released.get(), sources.driver().closedForRelease());
    }
    if (status instanceof SourceStatus.NothingHere nothing) {
      return new DriverStatus.Absent(nothing.why());
    }
    if (status instanceof SourceStatus.Down down) {
      return new DriverStatus.Down(down.reason(), down.why());
    }
    if (!status.answers()) {
      return new DriverStatus.NotPolled();
    }
    int gpus = sources.driver().gpuCount();
    return new DriverStatus.Up(sources.driver().versions().driver(), gpus, silent(gpus, views));
  }

  private List<SilentGpu> silent(int gpus, Map<String, SourceView> views) {
    List<SilentGpu> silent = new ArrayList<>();
    for (int index = 0; index < gpus; index++) {
      SourceView source = views.get(GpuRoster.source(index));
      if (source != null && sources.roster().at(index).isEmpty()) {
        SourceStatus status = source.status();
        if (status instanceof SourceStatus.Hung hung) {
          silent.add(new SilentGpu(index, "", hung.since()));
        } else if (status instanceof SourceStatus.Down down) {
          silent.add(new SilentGpu(index, down.reason(), Duration.ZERO));
        }
      }
    }
    return silent;
  }

  /** Until the last GPU is read again after a release: until then it is unknown. */
  private Optional<String> released(Map<String, SourceView> views) {
    Optional<String> released = sources.driver().release().why();
    Optional<String> source =
        views.values().stream()
            .map(SourceView::status)
            .filter(SourceStatus.Down.class::isInstance)
            .map(SourceStatus.Down.class::cast)
            .filter(down -> down.reason().equals(GpuRelease.REASON))
            .map(SourceStatus.Down::why)
            .max(Comparator.comparing(String::length));
    return released.isEmpty() ? source.map(any -> REOPENED) : source.or(() -> released);
  }

  private GpuStatus gpu(
      GpuRoster.Known known, Map<String, SourceView> views, DriverStatus driverNow) {
    String uuid = known.identity().uuid();
    int index = known.identity().index();
    SourceView source = views.get(known.source());
    PartStatus.State state = state(known, source, driverNow);
    return new GpuStatus(
        new PartStatus(
            Subject.Gpu.KIND,
            uuid,
            state,
            source == null ? "" : reason(source),
            state.answers() && source != null
                ? values(source, SeriesIndex.gpu(uuid))
                : Values.NONE),
        index,
        pciTexts.computeIfAbsent(known.identity().pciBusId(), SnapshotBuilder::pci),
        known.identity().name(),
        source == null ? Duration.ZERO : source.status().hungFor());
  }

  private static String pci(String busId) {
    return PciAddress.parse(busId).map(PciAddress::toString).orElse("");
  }

  private static String reason(SourceView source) {
    return source.status() instanceof SourceStatus.Down down ? down.reason() : "";
  }

  private PartStatus.State state(
      GpuRoster.Known known, @Nullable SourceView source, DriverStatus driverNow) {
    int index = known.identity().index();
    if (driverNow instanceof DriverStatus.Up up
        && (index >= up.gpus() || sources.roster().at(index).filter(known::equals).isEmpty())) {
      return PartStatus.State.GONE;
    }
    return source == null ? PartStatus.State.DOWN : state(source.status());
  }

  private Values values(SourceView source, SeriesIndex.Owner owner) {
    List<Samples> samples = new ArrayList<>();
    for (CollectorRun.Collected run : source.current(sources.cadences())) {
      samples.add(run.samples());
    }
    SeriesIndex index = indexes.get(source.name());
    if (index == null || !index.fits(samples)) {
      index = SeriesIndex.of(samples, owner, families, index);
      indexes.put(source.name(), index);
    }
    return new DeviceValues(index, samples, families);
  }

  /** The values of one GPU or another part among the samples of its collectors. */
  record DeviceValues(SeriesIndex index, List<Samples> samples, Set<String> families)
      implements Values {

    DeviceValues {
      samples = List.copyOf(samples);
      families = Set.copyOf(families);
    }

    @Override
    public Map<List<String>, Double> all(Metric metric) {
      if (family(metric).isEmpty()) {
        return Map.of();
      }
      Map<List<String>, Double> values = new HashMap<>();
      each(metric, values::put);
      return values;
    }

    @Override
    public void each(Metric metric, Each each) {
      SeriesIndex.Family family = family(metric);
      if (!family.isEmpty()) {
        family.each(samples.get(family.samples()), each);
      }
    }

    @Override
    public boolean has(Metric metric) {
      return !family(metric).isEmpty();
    }

    @Override
    public OptionalDouble get(Metric metric, String... labels) {
      SeriesIndex.Family family = family(metric);
      Integer at = family.at(List.of(labels));
      return at == null
          ? OptionalDouble.empty()
          : OptionalDouble.of(samples.get(family.samples()).value(at));
    }

    private SeriesIndex.Family family(Metric metric) {
      if (!families.contains(metric.name())) {
        // It would always be absent, which most rules take for healthy.
        throw new IllegalStateException("no rule declares that it reads " + metric.name());
      }
      return index.family(metric);
    }
  }
}
