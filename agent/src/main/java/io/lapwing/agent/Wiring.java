package io.lapwing.agent;

import io.lapwing.agent.config.Options;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.Settings.LustreTargets;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.engine.EffectivePolicy;
import io.lapwing.agent.health.engine.HealthEngine;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.health.engine.SnapshotBuilder;
import io.lapwing.agent.metrics.Build;
import io.lapwing.agent.metrics.HolderLabels;
import io.lapwing.agent.metrics.PageBudget;
import io.lapwing.agent.metrics.PageCache;
import io.lapwing.agent.metrics.PageSamples;
import io.lapwing.agent.metrics.SelfRegistry;
import io.lapwing.agent.metrics.SelfReport;
import io.lapwing.agent.metrics.SelfReport.ReloadReport;
import io.lapwing.agent.preset.Families;
import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.privacy.Privacy;
import io.lapwing.agent.privacy.PrivacyKey;
import io.lapwing.agent.privacy.ShownHolders;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.FieldSettings;
import io.lapwing.agent.sources.GpuDirectory;
import io.lapwing.agent.sources.GpuSourceFactory;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.PolledTraffic;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.agent.sources.SourceDefinition;
import io.lapwing.agent.sources.SourceLifecycle;
import io.lapwing.agent.sources.WorkloadSources;
import io.lapwing.agent.web.LiveSnapshotBuilder;
import io.lapwing.agent.web.NodeReportBuilder;
import io.lapwing.agent.web.WebContent;
import io.lapwing.agent.web.WebContent.AgentInfo;
import io.lapwing.agent.web.WebContent.Links;
import io.lapwing.agent.web.WebContent.Readiness;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.process.Service;
import io.lapwing.dcgm.Dcgm;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.dcgm.JnaDcgm;
import io.lapwing.dcgm.LoadedDcgm;
import io.lapwing.deep.DeepCheckSource;
import io.lapwing.efa.CounterDemand;
import io.lapwing.efa.EfaSource;
import io.lapwing.gpu.DcgmBoards;
import io.lapwing.gpu.DcgmHealthSource;
import io.lapwing.gpu.DcgmPolicySource;
import io.lapwing.gpu.DcgmSource;
import io.lapwing.gpu.FabricDomain;
import io.lapwing.gpu.GpuOccupancy;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.GpuView;
import io.lapwing.gpu.LibrarySearch;
import io.lapwing.gpu.NameView;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.gpu.XidSource;
import io.lapwing.gpu.XidWatch;
import io.lapwing.host.EdacSource;
import io.lapwing.host.EnaSource;
import io.lapwing.host.FilesystemSource;
import io.lapwing.host.PanicSource;
import io.lapwing.host.PressureSource;
import io.lapwing.host.UnitSource;
import io.lapwing.jobs.JobsSource.JobBoard;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import io.lapwing.lnet.LnetSource;
import io.lapwing.lustre.LustreDetail;
import io.lapwing.lustre.LustreRoots;
import io.lapwing.lustre.LustreSource;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import io.lapwing.node.Identification;
import io.lapwing.node.ImdsSource;
import io.lapwing.node.InstanceTypes;
import io.lapwing.node.Inventory;
import io.lapwing.node.NodeIdentity;
import io.lapwing.node.NodeSource;
import io.lapwing.node.PlatformProbe;
import io.lapwing.nvml.JnaNvml;
import io.lapwing.nvml.Nvml;
import io.lapwing.xid.XidTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Constructs the agent, top to bottom, without a framework. */
public final class Wiring implements AutoCloseable {

  private static final Duration STEP = Duration.ofMillis(10);
  private static final Duration LONGEST_START = Duration.ofSeconds(15);

  private volatile Settings settings;
  private final PollClock clock;
  private final Build build;
  private final SnapshotBoard board = new SnapshotBoard();
  private final Cadences cadences;
  private final Poller poller;
  private final Privacy privacy;
  private final NvmlDriver driver;
  private final GpuRoster roster = new GpuRoster();
  private final GpuOccupancy occupancy = new GpuOccupancy();
  private final FabricDomain domain = new FabricDomain();
  private final DcgmBoards dcgmBoards;
  private final Supplier<Reading<Dcgm>> dcgmLibrary;
  private final JobBoard jobs = new JobBoard();
  private volatile FieldSettings fields;
  private final SysFs sys;
  private final NodeSource node;
  private final Optional<ImdsSource> imds;
  private volatile Optional<LustreSource> lustre = Optional.empty();
  private final XidWatch xidWatch;
  private volatile EffectivePolicy policy;
  private final HealthEngine health;
  private final SelfRegistry own;
  private final GpuView view;
  private final SourceLifecycle reading;
  private final PageCache page;
  private final ReloadReport reloads;
  private final PageBudget budget = new PageBudget(PageBudget.Limits.DEFAULT);

  public Wiring(Settings settings, PollClock clock) throws ConfigException {
    this(settings, clock, Build.ofThisJar(), library(settings, clock), ownFigures(settings));
  }

  Wiring(
      Settings settings,
      PollClock clock,
      Build build,
      Supplier<Reading<Nvml>> library,
      SelfRegistry own)
      throws ConfigException {
    this.settings = settings;
    this.clock = clock;
    this.build = build;
    this.own = own;
    this.privacy = PrivacyKey.of(settings);
    this.fields = FieldSettings.read(settings.gpu().fields());
    this.cadences = cadences(settings.cadence());
    this.poller = new Poller(board, cadences, clock);
    this.dcgmBoards =
        DcgmBoards.of(
            () -> Duration.ofNanos(cadences.validNanos(Cadence.FAST)),
            () -> Duration.ofNanos(cadences.validNanos(Cadence.SLOW)));
    this.dcgmLibrary = dcgmLibrary(settings);
    this.driver = new NvmlDriver(library);
    this.sys = new SysFs(settings.paths().sysfs());
    Identification identification = identification(sys);
    this.node =
        new NodeSource(
            sys, identification, inventory(), driver::simulated, platform()::find, domain::get);
    this.imds = imds(identification);
    XidTable table = XidTable.load();
    this.policy = EffectivePolicy.load(settings.health(), table, HealthRules.specs());
    HealthEngine.Inputs inputs =
        new HealthEngine.Inputs(
            new SnapshotBuilder.Sources(poller, cadences, roster, driver),
            node,
            this::xidEventsUnavailable,
            privacy::event);
    this.health = new HealthEngine(settings, policy, table, inputs, clock, build.version());
    this.xidWatch = new XidWatch(driver, roster, clock, clock::nanoTime, health::nvmlXid);
    this.view = GpuSourceFactory.view(settings, fields, health.needs());
    this.reloads = new ReloadReport(clock.instant());
    this.reading = new SourceLifecycle(poller, roots(settings), settings, privacy);
    this.page =
        new PageCache(
            samples(),
            () -> board.version() + health.evaluations(),
            own,
            () -> this.settings.collectors().enabled(),
            this::families,
            poller::scraped,
            clock);
  }

  /** For a single run: waits until everything is evaluated, for a limited time. */
  public void startAndAwaitEvaluation() throws InterruptedException {
    start();
    Duration limit = settings.cadence().deadline().plus(LONGEST_START);
    for (Duration waited = Duration.ZERO;
        !evaluated() && waited.compareTo(limit) < 0;
        waited = waited.plus(STEP)) {
      Thread.sleep(STEP.toMillis());
    }
  }

  public void start() {
    startReading();
    health.start();
  }

  void startReading() {
    reading.start();
  }

  /** In the order of the metrics page. */
  private List<SourceDefinition> roots(Settings first) {
    ProcFs proc = new ProcFs(first.paths().procfs());
    List<SourceDefinition> roots = new ArrayList<>();
    roots.add(
        SourceDefinition.of(SourceDefinition.any(NodeSource.COLLECTOR), (now, found) -> node));
    imds.ifPresent(
        source ->
            roots.add(
                SourceDefinition.of(
                    SourceDefinition.any(ImdsSource.COLLECTOR), (now, found) -> source)));
    roots.add(
        SourceDefinition.of(
            CollectorGroup.EFA.anyEnabled(),
            (now, found) -> new EfaSource(sys, found, counterDemand())));
    roots.add(
        new SourceDefinition(
            Set.of(Options.LUSTRE_TARGETS.name()),
            CollectorGroup.LUSTRE.anyEnabled(),
            now -> List.of(now.lustreTargets()),
            (now, found) -> lustre(now, proc, found)));
    roots.add(
        new SourceDefinition(
            Set.of(Options.LUSTRE_TARGETS.name()),
            CollectorGroup.LNET.anyEnabled(),
            now -> List.of(now.lustreTargets()),
            (now, found) -> new LnetSource(sys, proc, now.lustreTargets() == LustreTargets.FULL)));
    roots.add(
        SourceDefinition.of(
            SourceDefinition.any(PressureSource.HOST), (now, found) -> new PressureSource(proc)));
    roots.addAll(host(first.paths().rootfs(), proc));
    roots.addAll(
        new WorkloadSources(directory(), node, jobs, new PolledTraffic(poller, cadences), clock)
            .roots());
    roots.addAll(hostEngine());
    // Last: its GPUs follow as it finds them, and the page is to have the same order every time.
    roots.add(
        SourceDefinition.of(CollectorGroup.GPU.anyEnabled(), (now, found) -> gpus(now, found)));
    return roots;
  }

  private List<SourceDefinition> hostEngine() {
    return List.of(
        ofEngine(
            List.of(DcgmSource.COLLECTOR, DcgmSource.SWITCHES, DcgmSource.CPUS, DcgmSource.LINKS),
            now -> List.of(now.cadence().fast(), now.cadence().slow()),
            now -> gpuSources(now).dcgm(now)),
        ofEngine(
            List.of(DcgmHealthSource.COLLECTOR),
            now -> List.of(),
            now -> gpuSources(now).dcgmHealth(now)),
        ofEngine(
            List.of(DcgmPolicySource.COLLECTOR),
            now -> List.of(),
            now -> gpuSources(now).dcgmPolicies(now)));
  }

  private static SourceDefinition ofEngine(
      List<String> collectors,
      Function<Settings, List<?>> more,
      Function<Settings, Source> source) {
    return new SourceDefinition(
        Set.of(Options.DCGM_ENGINE.name()),
        SourceDefinition.any(collectors)
            .and(now -> !now.gpu().dcgm().engine().equals(DcgmMode.OFF)),
        now -> List.of(now.gpu().dcgm().engine(), more.apply(now)),
        (now, found) -> source.apply(now));
  }

  private List<SourceDefinition> host(Path rootfs, ProcFs proc) {
    return List.of(
        SourceDefinition.of(
            SourceDefinition.any(EdacSource.MEMORY), (now, found) -> new EdacSource(sys)),
        SourceDefinition.of(
            SourceDefinition.any(DeepCheckSource.DEEP_CHECK),
            (now, found) -> new DeepCheckSource(now.paths().state())),
        SourceDefinition.of(
            SourceDefinition.any(FilesystemSource.FILESYSTEMS),
            (now, found) -> new FilesystemSource(proc, rootfs)),
        SourceDefinition.of(
            SourceDefinition.any(EnaSource.ENA),
            (now, found) -> new EnaSource(sys, EnaSource.statistics(sys))),
        SourceDefinition.of(
            SourceDefinition.any(PanicSource.PANICS), (now, found) -> new PanicSource(sys, rootfs)),
        new SourceDefinition(
            Set.of(Options.NODE_UNITS.name()),
            now ->
                SourceDefinition.any(UnitSource.UNITS).test(now) && !now.node().units().isEmpty(),
            now -> now.node().units(),
            (now, found) -> new UnitSource(rootfs, now.node().units())),
        SourceDefinition.of(
            now ->
                SourceDefinition.any(UnitSource.NVIDIA_SERVICES).test(now)
                    && !UnitSource.installed(rootfs).isEmpty(),
            (now, found) -> UnitSource.ofServices(rootfs)));
  }

  private LustreSource lustre(Settings now, ProcFs proc, SourceSet found) {
    boolean every = now.lustreTargets() == LustreTargets.FULL;
    LustreSource source =
        new LustreSource(
            new LustreRoots(sys, proc), found, every ? LustreDetail.FULL : LustreDetail.SUMMARY);
    lustre = Optional.of(source);
    return source;
  }

  private GpuSourceFactory gpuSources(Settings now) {
    return new GpuSourceFactory(
        now,
        this::enabled,
        view,
        driver,
        roster,
        xidWatch,
        occupancy,
        dcgmBoards,
        domain,
        dcgmLibrary,
        clock);
  }

  private Source gpus(Settings now, SourceSet found) {
    return gpuSources(now).source(found, gpus -> health.xidSamples(gpus, now.gpu().xidWindow()));
  }

  /** The keys of settings whose change a hung source prevents. */
  Set<String> keysOfHungSources() {
    return reading.keysOfHungSources();
  }

  /**
   * Applies other settings. Unaffected counters continue; paths, ports and labels do not change.
   */
  void change(Settings now, EffectivePolicy otherPolicy, FieldSettings otherFields) {
    settings = now;
    Settings.Cadence cadence = now.cadence();
    cadences.change(cadence.fast(), cadence.medium(), cadence.slow(), cadence.deadline());
    poller.cadencesChanged();
    health.cadencesChanged();
    node.expect(inventory());
    fields = otherFields;
    view.show(otherFields.selection().reading(health.needs()));
    reading.change(now);
    policy = otherPolicy;
    health.changePolicy(otherPolicy.policy());
  }

  EffectivePolicy policy() {
    return policy;
  }

  FieldSettings fields() {
    return fields;
  }

  ReloadReport reloads() {
    return reloads;
  }

  PollClock clock() {
    return clock;
  }

  private CounterDemand counterDemand() {
    Set<Metric> needs = Set.copyOf(health.needs());
    return new CounterDemand(
        metric -> needs.contains(metric) || Preset.STANDARD.has(metric.name()),
        () -> page.isEverythingAsked());
  }

  /** Lists of processes are read at the slow cadence; one may be missed. */
  private GpuDirectory directory() {
    return new GpuDirectory(roster, occupancy, () -> cadences.slow().multipliedBy(3), clock);
  }

  /** Those of the scrape response; a field file selects the ones with DCGM's names. */
  private Families families() {
    return new Families(
        settings.metrics(),
        settings.gpu().fields().isPresent(),
        new NameView(settings.gpu().names()));
  }

  private boolean enabled(String collector) {
    return settings.collectors().enabled(collector);
  }

  /** All samples, for one reader; each has its own self-report. */
  PageSamples samples() {
    return new PageSamples(
        poller,
        cadences,
        new SelfReport(cadences, build, reloads),
        health.samples(),
        view(),
        budget);
  }

  private UnaryOperator<List<Samples>> view() {
    HolderLabels ofJobs = new HolderLabels("jobs", new ShownHolders(jobs::jobs, privacy));
    HolderLabels ofPods = new HolderLabels("pods", new ShownHolders(jobs::pods, privacy));
    return page -> {
      Settings.Jobs shown = settings.workload().jobs();
      List<Samples> withJobs = shown.hpcJobLabel() ? ofJobs.apply(page) : page;
      return shown.podLabels() ? ofPods.apply(withJobs) : withJobs;
    };
  }

  public HealthEngine health() {
    return health;
  }

  PageCache page() {
    return page;
  }

  Poller poller() {
    return poller;
  }

  /**
   * Whether everything was read and evaluated. Rates and GPM need a second reading, which every
   * source makes before the first evaluation.
   */
  boolean evaluated() {
    return poller.settled() && health.evaluated();
  }

  SelfRegistry own() {
    return own;
  }

  Build build() {
    return build;
  }

  /** One line for each field of the field file that Lapwing does not expose or does not know. */
  List<String> unavailableFields() {
    return fields.unavailable();
  }

  /** One line for each setting of the field file that is not used. */
  List<String> unusedFieldSettings() {
    return fields.warnings();
  }

  NvmlDriver driver() {
    return driver;
  }

  boolean simulated() {
    return node.simulated();
  }

  WebContent content() {
    NodeReportBuilder reports =
        new NodeReportBuilder(
            build,
            node,
            imds,
            driver,
            roster,
            poller,
            clock,
            this::unavailableFields,
            this::remedies,
            budget::leftOut,
            () -> health.report().operations());
    return new WebContent(
        page,
        () ->
            new AgentInfo(
                build.version(),
                settings.hostname(),
                node.simulated(),
                new Links(settings.guide().runbooks(), settings.guide().dashboard())),
        this::readiness,
        reports::report,
        health::report,
        health::events,
        new LiveSnapshotBuilder(poller, cadences, clock, () -> health.report().slowness().totals())
            ::live,
        clock);
  }

  /** Sources that lack a permission or a mount, with the remedy. */
  private Map<String, String> remedies() {
    return lustre
        .flatMap(LustreSource::unreadable)
        .map(why -> Map.of("lustre", why))
        .orElse(Map.of());
  }

  /** Why NVML's XID events are unavailable; empty while they are received. */
  private Optional<String> xidEventsUnavailable() {
    return enabled(XidSource.COLLECTOR) ? xidWatch.unavailable() : Optional.of("switched off");
  }

  /** As {@code systemctl status} shows it. */
  Service.Status status() {
    if (readiness() instanceof Readiness.NotReady not) {
      return new Service.Status(false, "starting: " + not.reason());
    }
    HealthReport now = health.report();
    return new Service.Status(true, now.verdict().text() + ": " + now.summary());
  }

  private Readiness readiness() {
    if (!poller.settled()) {
      return new Readiness.NotReady("not every source was read yet");
    }
    return health.evaluated() ? new Readiness.Ready() : new Readiness.NotReady("not evaluated yet");
  }

  @Override
  public void close() {
    health.close();
    xidWatch.close();
    poller.close();
  }

  private Identification identification(SysFs sys) {
    Settings.Node node = settings.node();
    return new Identification(
        NodeIdentity.read(
            node.hostname(),
            new NodeIdentity.Configured(node.instanceType(), node.instanceId()),
            sys));
  }

  /** Without a configured URL, only on EC2, and not on a simulated node. */
  private Optional<ImdsSource> imds(Identification identification) {
    boolean here = identification.get().onEc2() && !node.simulated();
    return settings
        .node()
        .imds()
        .filter(url -> here || settings.node().imdsIsGiven())
        .map(url -> new ImdsSource(url, identification, clock::nanoTime));
  }

  private PlatformProbe platform() {
    Path rootfs = settings.paths().rootfs();
    return new PlatformProbe(
        settings.hostname(),
        rootfs,
        sys,
        new ProcFs(settings.paths().procfs()),
        settings.workload().jobs().podResources(),
        () -> UnitSource.isRunning(rootfs, "slurmd.service").orElse(false));
  }

  private Inventory inventory() {
    return new Inventory(
        InstanceTypes.load(),
        settings.health().expectedGpus(),
        settings.health().expectedEfaDevices());
  }

  private static Cadences cadences(Settings.Cadence settings) {
    return new Cadences(settings.fast(), settings.medium(), settings.slow(), settings.deadline());
  }

  static Supplier<Reading<Nvml>> library(Settings settings, PollClock clock) {
    String library = settings.gpu().library().map(Path::toString).orElse(JnaNvml.DEFAULT_LIBRARY);
    return new LibrarySearch(
        () -> JnaNvml.load(library, clock::nanoTime), clock::nanoTime, settings.cadence().slow());
  }

  /** Nothing of DCGM is loaded before there is an engine. */
  private static Supplier<Reading<Dcgm>> dcgmLibrary(Settings settings) {
    List<String> libraries =
        settings
            .gpu()
            .dcgm()
            .library()
            .map(path -> List.of(path.toString()))
            .orElse(JnaDcgm.DEFAULT_LIBRARIES);
    return new LoadedDcgm(() -> JnaDcgm.load(libraries));
  }

  private static SelfRegistry ownFigures(Settings settings) {
    return settings.web().exporterMetrics() ? SelfRegistry.ofThisProcess() : SelfRegistry.empty();
  }
}
