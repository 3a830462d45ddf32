package io.lapwing.agent.judge;

import io.lapwing.agent.health.AgentNow;
import io.lapwing.agent.health.DriverNow;
import io.lapwing.agent.health.GpuNow;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.PartNow;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.poll.Cadences;
import io.lapwing.agent.poll.Poller;
import io.lapwing.agent.poll.SourceSnapshot;
import io.lapwing.agent.poll.SourceView;
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
public final class NodeLook {

  private static final String DRIVER = "nvml";

  private final Poller poller;
  private final Cadences cadences;
  private final GpuRoster roster;
  private final NvmlDriver driver;
  private final Supplier<NodeFacts> facts;
  private final Supplier<AgentNow> agent;
  private final Set<String> wanted;
  private final Map<String, SeriesIndex> indexes = new HashMap<>();
  private final Map<String, String> pciTexts = new HashMap<>();

  /**
   * A look at what a poller reads.
   *
   * @param wanted the families that anybody asks for
   */
  public NodeLook(
      Poller poller,
      Cadences cadences,
      GpuRoster roster,
      NvmlDriver driver,
      Supplier<NodeFacts> facts,
      Supplier<AgentNow> agent,
      Collection<Metric> wanted) {
    this.poller = poller;
    this.cadences = cadences;
    this.roster = roster;
    this.driver = driver;
    this.facts = facts;
    this.agent = agent;
    this.wanted = wanted.stream().map(Metric::name).collect(Collectors.toUnmodifiableSet());
  }

  NodeView view(Instant now, History history, Trends trends) {
    Map<String, SourceView> sources =
        poller.sources().stream()
            .collect(
                Collectors.toMap(
                    SourceView::name, Function.identity(), (a, b) -> a, LinkedHashMap::new));
    DriverNow driverNow = driver(sources.get(DRIVER));
    List<GpuNow> gpus = new ArrayList<>();
    for (GpuRoster.Known known : roster.all()) {
      if (isLookedAt(known, sources, driverNow)) {
        gpus.add(gpu(known, sources, driverNow));
      }
    }
    List<PartNow> parts = new ArrayList<>();
    for (SourceView source : sources.values()) {
      if (source.part().isPresent() && source.state().settled()) {
        parts.add(part(source.part().get(), source));
      }
    }
    return new NodeView(now, facts.get(), driverNow, agent.get(), gpus, parts, history, trends);
  }

  /**
   * GPUs that are known from before and are not read any more, or not yet again, since their
   * collectors were switched off and on, are not lost.
   */
  private static boolean isLookedAt(
      GpuRoster.Known known, Map<String, SourceView> sources, DriverNow driverNow) {
    SourceView source = sources.get("gpu" + known.identity().index());
    return !(driverNow instanceof DriverNow.NotLookedAt)
        && (source == null || source.state().settled());
  }

  private PartNow part(Part part, SourceView source) {
    PartNow.State state = state(source);
    return new PartNow(
        part.kind(),
        part.name(),
        part.labels(),
        state,
        why(source),
        state == PartNow.State.ANSWERS
            ? values(source, SeriesIndex.labelled(part.labels()))
            : Values.NONE);
  }

  private static PartNow.State state(SourceView source) {
    if (source.state().hung()) {
      return PartNow.State.HUNG;
    }
    Optional<Access> access = source.snapshot().map(SourceSnapshot::access);
    if (access.filter(Access.Down.class::isInstance).isPresent()) {
      return PartNow.State.DOWN;
    }
    return access.filter(Access.NothingHere.class::isInstance).isPresent()
        ? PartNow.State.NOTHING_HERE
        : PartNow.State.ANSWERS;
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

  private DriverNow driver(@Nullable SourceView source) {
    if (source == null) {
      return new DriverNow.NotLookedAt();
    }
    if (source.state().hung()) {
      return new DriverNow.Hung(source.state().busy().orElse(Duration.ZERO));
    }
    Optional<Access> access = source.snapshot().map(SourceSnapshot::access);
    if (access.isEmpty()) {
      return new DriverNow.NotLookedAt();
    }
    if (access.get() instanceof Access.NothingHere nothing) {
      return new DriverNow.Absent(nothing.why());
    }
    return access.get() instanceof Access.Down down
        ? new DriverNow.Down(down.reason(), down.why())
        : new DriverNow.Up(driver.versions().driver(), driver.gpuCount());
  }

  private GpuNow gpu(GpuRoster.Known known, Map<String, SourceView> sources, DriverNow driverNow) {
    String uuid = known.identity().uuid();
    int index = known.identity().index();
    SourceView source = sources.get("gpu" + index);
    GpuNow.State state = state(known, source, driverNow);
    return new GpuNow(
        uuid,
        index,
        pciTexts.computeIfAbsent(known.identity().pciBusId(), NodeLook::pci),
        state,
        source == null ? "" : reason(source),
        state == GpuNow.State.ANSWERS && source != null
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

  private GpuNow.State state(
      GpuRoster.Known known, @Nullable SourceView source, DriverNow driverNow) {
    int index = known.identity().index();
    if (driverNow instanceof DriverNow.Up up
        && (index >= up.gpus() || roster.at(index).filter(known::equals).isEmpty())) {
      return GpuNow.State.GONE;
    }
    if (source == null) {
      return GpuNow.State.DOWN;
    }
    if (source.state().hung()) {
      return GpuNow.State.HUNG;
    }
    return source.answers() ? GpuNow.State.ANSWERS : GpuNow.State.DOWN;
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
