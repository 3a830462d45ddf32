package io.lapwing.agent.sources;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.Settings.LabelSet;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.dcgm.Dcgm;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.gpu.DcgmBoards;
import io.lapwing.gpu.DcgmHealthSource;
import io.lapwing.gpu.DcgmPolicySource;
import io.lapwing.gpu.DcgmSource;
import io.lapwing.gpu.DriverSource;
import io.lapwing.gpu.FabricDomain;
import io.lapwing.gpu.GpuContext;
import io.lapwing.gpu.GpuLabelling;
import io.lapwing.gpu.GpuLabelling.FieldLabel;
import io.lapwing.gpu.GpuLabelling.HostnameLabel;
import io.lapwing.gpu.GpuOccupancy;
import io.lapwing.gpu.GpuPeerSource;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.GpuSource;
import io.lapwing.gpu.GpuSubject;
import io.lapwing.gpu.GpuSubjects;
import io.lapwing.gpu.GpuView;
import io.lapwing.gpu.HostEngineAccess;
import io.lapwing.gpu.HostEngines;
import io.lapwing.gpu.LabelField;
import io.lapwing.gpu.NameGeneration;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.gpu.XidSource;
import io.lapwing.gpu.XidWatch;
import io.lapwing.metric.Metric;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The sources of the GPUs: the driver, which discovers them, and their shared state. */
public record GpuSourceFactory(
    Settings settings,
    Predicate<String> enabled,
    GpuView view,
    NvmlDriver driver,
    GpuRoster roster,
    XidWatch xidWatch,
    GpuOccupancy occupancy,
    DcgmBoards boards,
    FabricDomain domain,
    Supplier<Reading<Dcgm>> library,
    PollClock clock) {

  /**
   * How GPUs are exposed; rules read {@code wanted} families even if a field file excludes them.
   */
  public static GpuView view(Settings settings, FieldSettings fields, List<Metric> wanted) {
    return new GpuView(fields.selection().reading(wanted), labelling(settings, fields));
  }

  /**
   * The source that discovers all GPUs and starts theirs. Every GPU has every subject; its source
   * decides which run.
   */
  public Source source(SourceSet sources, Function<GpuContext, Consumer<SampleSink>> xids) {
    GpuContext context = context();
    List<Source> companions =
        List.of(new XidSource(xidWatch, xids.apply(context)), new GpuPeerSource(context));
    return new DriverSource(
        driver,
        roster,
        new Wanted(sources, companions, enabled),
        index -> new GpuSource(index, context, subjects()),
        companions);
  }

  private GpuContext context() {
    return new GpuContext(driver, roster, view, clock, clock::nanoTime);
  }

  /** DCGM's host engine, the settings' that are current now. */
  public Source dcgm(Settings now) {
    return new DcgmSource(
        access(now), context(), boards, now.cadence().fast(), now.cadence().slow());
  }

  /** The health watches of the same engine. */
  public Source dcgmHealth(Settings now) {
    return new DcgmHealthSource(access(now), context(), boards.health());
  }

  /** The policies of an engine that others can reach: an embedded one has no other clients. */
  public Source dcgmPolicies(Settings now) {
    DcgmMode mode = now.gpu().dcgm().engine();
    return new DcgmPolicySource(
        access(now, mode instanceof DcgmMode.Embedded ? new DcgmMode.Auto() : mode), context());
  }

  private HostEngineAccess access(Settings now) {
    return access(now, now.gpu().dcgm().engine());
  }

  private HostEngineAccess access(Settings now, DcgmMode mode) {
    return new HostEngineAccess(mode, new HostEngines(now.paths().procfs()), library);
  }

  /** New subjects for each GPU, since some keep state. */
  private List<GpuSubject> subjects() {
    return GpuSubjects.of(any -> true, settings.gpu().xidWindow(), occupancy, boards, domain);
  }

  /** Companions are offered in every round, and added once they are switched on. */
  private record Wanted(SourceSet sources, List<Source> companions, Predicate<String> enabled)
      implements SourceSet {

    @Override
    public void add(Source source) {
      if (!companions.contains(source)
          || source.collectors().stream().anyMatch(one -> enabled.test(one.name()))) {
        sources.add(source);
      }
    }

    @Override
    public void remove(String name) {
      sources.remove(name);
    }

    @Override
    public void wake(String name) {
      sources.wake(name);
    }
  }

  private static GpuLabelling labelling(Settings settings, FieldSettings fields) {
    boolean lean = settings.gpu().labels() == LabelSet.LEAN;
    List<HostnameLabel> hostnames =
        settings.gpu().hostnameLabels().stream()
            .map(name -> new HostnameLabel(name, settings.hostname()))
            .toList();
    List<NameGeneration> names = settings.gpu().names();
    // Without a field file, a generation has the label row of its default file.
    boolean defaultRow = !names.isEmpty() && settings.gpu().fields().isEmpty() && !lean;
    List<LabelField> rows = defaultRow ? List.of(LabelField.DRIVER_VERSION) : fields.labels();
    return new GpuLabelling(
        lean, hostnames, rows.stream().flatMap(row -> fieldLabels(row, names)).toList());
  }

  /** Under the name of each generation; only the driver's version has several. */
  private static Stream<FieldLabel> fieldLabels(LabelField row, List<NameGeneration> names) {
    Stream<String> labels =
        row == LabelField.DRIVER_VERSION && !names.isEmpty()
            ? names.stream().map(NameGeneration::driverLabel).distinct()
            : Stream.of(row.metricName());
    return labels.map(label -> new FieldLabel(label, row));
  }
}
