package io.lapwing.agent.health.engine;

import io.lapwing.agent.XidCounts;
import io.lapwing.agent.attribution.StepTimeAttribution;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.events.Durability;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventHistory;
import io.lapwing.agent.events.EventLog;
import io.lapwing.agent.events.Limits;
import io.lapwing.agent.events.LogQueue;
import io.lapwing.agent.events.OpenResult;
import io.lapwing.agent.health.AgentStatus;
import io.lapwing.agent.health.EventLogStatus;
import io.lapwing.agent.health.ExpectedHardware;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.HealthSamples;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.log.Log;
import io.lapwing.agent.process.StartupProbe;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.Poller;
import io.lapwing.collect.Reading;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.gpu.XidWatch;
import io.lapwing.linux.KernelLog;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import io.lapwing.node.Expectation;
import io.lapwing.node.InstanceType;
import io.lapwing.node.NodeIdentity;
import io.lapwing.node.NodeSource;
import io.lapwing.xid.KernelFacts;
import io.lapwing.xid.XidTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The health branch, from what is heard and read to what is said: kernel log and NVML events to the
 * intake, its events to the chronicle and the event log, board and chronicle to the judge.
 */
public final class HealthEngine implements AutoCloseable {

  private static final Log LOG = Log.of(HealthEngine.class);

  private static final String HANGS =
      "it did not answer when the agent started, which now remembers nothing from before";

  /** How long sources that do not settle are waited for, beyond the deadline. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final Settings settings;
  private final PollClock clock;
  private final NodeSource node;
  private final OptionalInt pciGpus;
  private final Optional<LogQueue> log;
  private final XidCounters counts;
  private final EventHistory chronicle;
  private final XidDeduplicator intake;
  private final KernelLogListener ear;
  private final KernelLog kernelLog;
  private final HealthEvaluator judge;
  private final EvaluationLoop watch;
  private final List<Metric> wanted;
  private final Supplier<Optional<String>> xidDeafness;
  private final PolicyHolder policy;

  /** What the health branch looks at. */
  public record Looks(
      Poller poller,
      Cadences cadences,
      GpuRoster roster,
      NvmlDriver driver,
      NodeSource node,
      Supplier<Boolean> simulated,
      Supplier<Optional<String>> xidDeafness) {}

  /**
   * Not yet begun.
   *
   * @param version of the agent, for its own event
   */
  public HealthEngine(
      Settings settings,
      EffectivePolicy policy,
      XidTable table,
      Looks looks,
      PollClock clock,
      String version) {
    this.settings = settings;
    this.clock = clock;
    this.node = looks.node();
    this.xidDeafness = looks.xidDeafness();
    this.counts = new XidCounters(table);
    // The log reads the history when it rotates, on its own thread, after this constructor.
    AtomicReference<EventHistory> inMemory = new AtomicReference<>();
    Optional<OpenResult> opened =
        open(settings, clock, () -> Optional.ofNullable(inMemory.get()).orElseThrow().events());
    ClearQueue clears = new ClearQueue(new ClearRequests(settings.paths().state(), clock));
    Optional<LogQueue> queue =
        opened.filter(any -> !settings.once()).map(kept -> new LogQueue(kept.log(), clears::fetch));
    this.log = queue;
    List<Event> kept = opened.map(OpenResult::events).orElse(List.of());
    this.chronicle =
        new EventHistory(kept, events -> queue.ifPresent(open -> open.add(events)), counts::note);
    inMemory.set(chronicle);
    BootDetector boot = new BootDetector(settings.paths().procfs());
    String instance = node.identity().instanceId().text();
    StartupProbe.run("boot", () -> boot.begin(kept, clock.instant(), version, instance))
        .ifPresent(chronicle::add);
    PciToUuidMap names = new PciToUuidMap(looks.roster());
    KernelFacts kernelFacts = new KernelFacts(() -> version(looks.driver()));
    this.intake = new XidDeduplicator(kernelFacts::read, names, clock);
    SysFs sys = new SysFs(settings.paths().sysfs());
    this.pciGpus =
        number(
            StartupProbe.run("pci", () -> sys.nvidiaGpus().map(List::size))
                .flatMap(Reading::toOptional));
    this.policy = new PolicyHolder(policy.policy());
    RuleSet book = new RuleSet(HealthRules.under(this.policy::xid, table), this.policy);
    this.wanted = wanted(book);
    SnapshotBuilder look =
        new SnapshotBuilder(
            looks.poller(),
            looks.cadences(),
            looks.roster(),
            looks.driver(),
            this::facts,
            this::agent,
            wanted);
    this.judge =
        new HealthEvaluator(
            look,
            names,
            intake,
            chronicle,
            book,
            ApplicationExitDetector.below(settings.paths().procfs()),
            clears::take,
            looks.driver()::reloads,
            looks.simulated()::get);
    this.ear = new KernelLogListener(intake, this::wake);
    this.kernelLog = kernelLog(ear);
    this.watch =
        new EvaluationLoop(
            judge,
            intake,
            clock,
            looks.cadences()::fast,
            settings.cadence().deadline().plus(GRACE),
            looks.poller()::settled,
            kernelLog::start,
            HealthReport.unjudged(
                clock.instant(),
                "not judged yet: the agent has only just started",
                book.profile(),
                looks.simulated().get()));
    clears.wakes(watch::wake);
  }

  /** The families that somebody reads here, whatever a field file leaves out. */
  private static List<Metric> wanted(RuleSet book) {
    return Stream.of(
            book.needs(),
            ChangeDetector.NEEDS.stream(),
            ApplicationExitDetector.NEEDS.stream(),
            StepTimeAttribution.needs())
        .flatMap(one -> one)
        .distinct()
        .toList();
  }

  public List<Metric> wanted() {
    return wanted;
  }

  private static Optional<String> version(NvmlDriver driver) {
    return driver.nvml().map(there -> driver.versions().driver()).filter(text -> !text.isEmpty());
  }

  /** One page, or one look, is no agent that keeps a log: it only reads what another kept. */
  private static Optional<OpenResult> open(
      Settings settings, PollClock clock, Supplier<List<Event>> history) {
    Path state = settings.paths().state();
    if (settings.once() && !Files.isDirectory(state)) {
      return Optional.empty();
    }
    Optional<OpenResult> answer =
        StartupProbe.run("state", () -> EventLog.open(state, Limits.DEFAULT, clock, history));
    if (answer.isEmpty()) {
      LOG.warn("events are not kept on disk", "path", state, "why", HANGS);
      return answer;
    }
    OpenResult opened = answer.get();
    opened.problems().forEach(problem -> LOG.warn("damage in the event log", "what", problem));
    if (opened.unknownKinds() > 0) {
      LOG.warn(
          "the event log has lines of a newer agent, which are passed over",
          "lines",
          opened.unknownKinds());
    }
    if (settings.once()) {
      opened.log().close();
    } else if (opened.log().durability() instanceof Durability.NotDurable not) {
      LOG.warn("events are not kept on disk", "path", not.path(), "why", not.why());
    }
    return answer;
  }

  private KernelLog kernelLog(KernelLog.Listener listener) {
    List<Event> known = chronicle.events();
    OptionalLong before = BootDetector.readBefore(known);
    Optional<Instant> last =
        BootDetector.sinceBoot(known).stream()
            .filter(Event.Xid.class::isInstance)
            .map(Event::at)
            .max(Instant::compareTo);
    ProcFs proc = new ProcFs(settings.paths().procfs());
    return new KernelLog(
        KernelLog.Settings.nvidia(settings.paths().kmsg(), settings.paths().rootfs(), before, last),
        clock,
        () -> bootTime(proc),
        listener);
  }

  private Optional<Instant> bootTime(ProcFs proc) {
    Reading<Instant> booted = proc.bootTime(clock);
    return booted.toOptional();
  }

  /** Anew each time: the instance metadata service may tell later what the node is. */
  private NodeFacts facts() {
    NodeIdentity identity = node.identity();
    Expectation expected = node.expectation();
    return new NodeFacts(
        identity.hostname(),
        identity.instanceType().text(),
        identity.instanceId().text(),
        expected.type().map(HealthEngine::hardware),
        expected.gpus(),
        expected.efaDevices(),
        pciGpus);
  }

  private static OptionalInt number(Optional<Integer> maybe) {
    return maybe.isPresent() ? OptionalInt.of(maybe.get()) : OptionalInt.empty();
  }

  private static ExpectedHardware hardware(InstanceType type) {
    return new ExpectedHardware(
        type.gpus(),
        type.gpuModel(),
        type.nvlinksPerGpu(),
        type.gpuMemoryMiB(),
        type.certainEfaDevices(),
        type.efaGbps());
  }

  private AgentStatus agent() {
    return new AgentStatus(ear.deafness(), ear.replaced(), xidDeafness.get(), notKept());
  }

  private Optional<String> notKept() {
    if (log.isEmpty() && !settings.once()) {
      return Optional.of(settings.paths().state() + ": " + HANGS);
    }
    return log.map(LogQueue::durability)
        .filter(Durability.NotDurable.class::isInstance)
        .map(Durability.NotDurable.class::cast)
        .map(not -> not.path() + ": " + not.why());
  }

  /** Judges by another policy from now on; what was found stays, where that still finds it. */
  public void judgeBy(Policy other) {
    policy.change(other);
    wake();
  }

  /** An XID that NVML told. */
  public void hear(XidWatch.Event xid) {
    intake.nvml(xid.uuid(), xid.number(), xid.at());
    wake();
  }

  private void wake() {
    watch.wake();
  }

  public void start() {
    watch.start();
  }

  /** Judges now, for who does not start the watch. */
  public HealthReport judgeNow() {
    return watch.judgeNow();
  }

  public KernelLog kernelLog() {
    return kernelLog;
  }

  public KernelLogListener ear() {
    return ear;
  }

  public boolean judged() {
    return judgements() > 0;
  }

  /** How often it was judged. */
  public long judgements() {
    return watch.judgements();
  }

  public HealthReport report() {
    return watch.report();
  }

  public List<Event> events() {
    return chronicle.events();
  }

  public XidCounts xids() {
    return counts.xids();
  }

  /** The samples of one reader's page. */
  public Supplier<Samples> samples() {
    HealthSamples samples = new HealthSamples();
    return () -> samples.samples(report(), eventLog(), ear.counts(), counts.switches());
  }

  private EventLogStatus eventLog() {
    boolean durable =
        log.filter(open -> open.durability() instanceof Durability.Durable).isPresent();
    return EventLogStatus.of(durable, chronicle.counts(), log.map(LogQueue::dropped).orElse(0L));
  }

  /** The log first: what is read after that is read again, and to end a read may take its time. */
  @Override
  public void close() {
    watch.close();
    log.ifPresent(LogQueue::close);
    kernelLog.close();
  }
}
