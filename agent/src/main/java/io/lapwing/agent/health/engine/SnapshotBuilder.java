package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.AgentStatus;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SourceSnapshot;
import io.lapwing.agent.sources.SourceView;
import io.lapwing.collect.Access;
import io.lapwing.collect.CollectorRun;
import io.lapwing.collect.Part;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import io.lapwing.xid.PciAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks at the board as rules want to see it. Used by one thread. */
public final class SnapshotBuilder {

  private static final String DRIVER = "nvml";

  private final Poller poller;
  private final Cadences cadences;
  private final GpuRoster roster;
  private final NvmlDriver driver;
  private final Supplier<NodeFacts> facts;
  private final Supplier<AgentStatus> agent;
  private final Set<String> wanted;
  private final Map<String, SeriesIndex> indexes = new HashMap<>();
  private final Map<String, String> pciTexts = new HashMap<>();

  /**
   * A look at what a poller reads.
   *
   * @param wanted the families that anybody asks for
   */
  public SnapshotBuilder(
      Poller poller,
      Cadences cadences,
      GpuRoster roster,
      NvmlDriver driver,
      Supplier<NodeFacts> facts,
      Supplier<AgentStatus> agent,
      Collection<Metric> wanted) {
    this.poller = poller;
    this.cadences = cadences;
    this.roster = roster;
    this.driver = driver;
    this.facts = facts;
    this.agent = agent;
    this.wanted = wanted.stream().map(Metric::name).collect(Collectors.toUnmodifiableSet());
  }

  NodeSnapshot view(Instant now, History history, Trends trends) {
    Map<String, SourceView> sources =
        poller.sources().stream()
            .collect(
                Collectors.toMap(
                    SourceView::name, Function.identity(), (a, b) -> a, LinkedHashMap::new));
    DriverStatus driverNow = driver(sources.get(DRIVER));
    List<GpuStatus> gpus = new ArrayList<>();
    for (GpuRoster.Known known : roster.all()) {
      if (isLookedAt(known, sources, driverNow)) {
        gpus.add(gpu(known, sources, driverNow));
      }
    }
    List<PartStatus> parts = new ArrayList<>();
    for (SourceView source : sources.values()) {
      if (source.part().isPresent() && source.state().settled()) {
        parts.add(part(source.part().get(), source));
      }
    }
    return new NodeSnapshot(now, facts.get(), driverNow, agent.get(), gpus, parts, history, trends);
  }

  /**
   * GPUs that are known from before and are not read any more, or not yet again, since their
   * collectors were switched off and on, are not lost.
   */
  private static boolean isLookedAt(
      GpuRoster.Known known, Map<String, SourceView> sources, DriverStatus driverNow) {
    SourceView source = sources.get("gpu" + known.identity().index());
    return !(driverNow instanceof DriverStatus.NotLookedAt)
        && (source == null || source.state().settled());
  }

  private PartStatus part(Part part, SourceView source) {
    PartStatus.State state = state(source);
    return new PartStatus(
        part.kind(),
        part.name(),
        part.labels(),
        state,
        why(source),
        state == PartStatus.State.ANSWERS
            ? values(source, SeriesIndex.labelled(part.labels()))
            : Values.NONE);
  }

  private static PartStatus.State state(SourceView source) {
    if (source.state().hung()) {
      return PartStatus.State.HUNG;
    }
    Optional<Access> access = source.snapshot().map(SourceSnapshot::access);
    if (access.filter(Access.Down.class::isInstance).isPresent()) {
      return PartStatus.State.DOWN;
    }
    return access.filter(Access.NothingHere.class::isInstance).isPresent()
        ? PartStatus.State.NOTHING_HERE
        : PartStatus.State.ANSWERS;
  }

  private static String why(SourceView source) {
    if (source.state().hung()) {
      return "a read has not come back for "
          + source.state().busy().orElse(Duration.ZERO).toSeconds()
          + " s";
    }
    Access access = source.snapshot().map(SourceSnapshot::access).orElse(Access.READY);
    if (access instanceof Access.Down down) {
      return down.why();
    }
    return access instanceof Access.NothingHere nothing ? nothing.why() : "";
  }

  private DriverStatus driver(@Nullable SourceView source) {
    if (source == null) {
      return new DriverStatus.NotLookedAt();
    }
    if (source.state().hung()) {
      return new DriverStatus.Hung(source.state().busy().orElse(Duration.ZERO));
    }
    Optional<Access> access = source.snapshot().map(SourceSnapshot::access);
    if (access.isEmpty()) {
      return new DriverStatus.NotLookedAt();
    }
    if (access.get() instanceof Access.NothingHere nothing) {
      return new DriverStatus.Absent(nothing.why());
    }
    return access.get() instanceof Access.Down down
        ? new DriverStatus.Down(down.reason(), down.why())
        : new DriverStatus.Up(driver.versions().driver(), driver.gpuCount());
  }

  private GpuStatus gpu(
      GpuRoster.Known known, Map<String, SourceView> sources, DriverStatus driverNow) {
    String uuid = known.identity().uuid();
    int index = known.identity().index();
    SourceView source = sources.get("gpu" + index);
    GpuStatus.State state = state(known, source, driverNow);
    return new GpuStatus(
        uuid,
        index,
        pciTexts.computeIfAbsent(known.identity().pciBusId(), SnapshotBuilder::pci),
        state,
        source == null ? "" : reason(source),
        state == GpuStatus.State.ANSWERS && source != null
            ? values(source, SeriesIndex.gpu(uuid))
            : Values.NONE);
  }

  private static String pci(String busId) {
    return PciAddress.parse(busId).map(PciAddress::toString).orElse("");
  }

  private static String reason(SourceView source) {
    return source
        .snapshot()
        .map(SourceSnapshot::access)
        .filter(Access.Down.class::isInstance)
        .map(down -> ((Access.Down) down).reason())
        .orElse("");
  }

  private GpuStatus.State state(
      GpuRoster.Known known, @Nullable SourceView source, DriverStatus driverNow) {
    int index = known.identity().index();
    if (driverNow instanceof DriverStatus.Up up
        && (index >= up.gpus() || roster.at(index).filter(known::equals).isEmpty())) {
      return GpuStatus.State.GONE;
    }
    if (source == null) {
      return GpuStatus.State.DOWN;
    }
    if (source.state().hung()) {
      return GpuStatus.State.HUNG;
    }
    return source.answers() ? GpuStatus.State.ANSWERS : GpuStatus.State.DOWN;
  }

  private Values values(SourceView source, SeriesIndex.Owner owner) {
    List<Samples> samples = new ArrayList<>();
    for (CollectorRun.Collected run : source.current(cadences)) {
      samples.add(run.samples());
    }
    SeriesIndex index = indexes.get(source.name());
    if (index == null || !index.fits(samples)) {
      index = SeriesIndex.of(samples, owner, wanted);
      indexes.put(source.name(), index);
    }
    return new DeviceValues(index, samples, wanted);
  }
}
