package io.lapwing.agent.health.engine;

import io.lapwing.agent.attribution.StepTimeAttribution;
import io.lapwing.agent.attribution.StopCosts;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.HealthSamples;
import io.lapwing.agent.health.HealthSamples.KernelFaults;
import io.lapwing.agent.health.HealthSamples.KernelLogCounts;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeFacts.ExpectedHardware;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.Poller;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.common.process.StartupProbe;
import io.lapwing.gpu.GpuContext;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.gpu.XidWatch;
import io.lapwing.host.HostMessages;
import io.lapwing.host.UnitSource;
import io.lapwing.linux.KernelLog;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import io.lapwing.node.InstanceType;
import io.lapwing.node.Inventory.Expectation;
import io.lapwing.node.NodeIdentity;
import io.lapwing.node.NodeSource;
import io.lapwing.node.Platform;
import io.lapwing.xid.KernelFacts;
import io.lapwing.xid.XidTable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The kernel log and NVML's events go through the deduplicator to the event store; the loop
 * evaluates sources and events.
 */
public final class HealthEngine implements AutoCloseable {

  /**
   * Wait for sources that do not settle, beyond their deadline. On a slow machine the first read of
   * a device begins seconds after the start; a node that is not read yet must not be healthy.
   */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final Settings settings;
  private final PollClock clock;
  private final Inputs inputs;
  private final OptionalInt pciGpus;
  private final OptionalInt pciEfaDevices;
  private final EventStore events;
  private final XidCounters counters;
  private final HostFaultCounts hostFaults = new HostFaultCounts();
  private final XidDeduplicator xids;
  private final KernelLogListener listener;
  private final KernelLog kernelLog;
  private final EvaluationLoop loop;
  private final List<Metric> needs;
  private final RuleSet.PolicyHolder policy;

  /**
   * The inputs; {@code xidEvents}: why NVML's events are unavailable, empty while they are
   * received; {@code shown}: the form in which an event is kept.
   */
  public record Inputs(
      SnapshotBuilder.Sources sources,
      NodeSource node,
      Supplier<Optional<String>> xidEvents,
      UnaryOperator<Event> shown) {}

  /** Not started yet; {@code version} is for the agent's own event. */
  public HealthEngine(
      Settings settings,
      EffectivePolicy policy,
      XidTable table,
      Inputs inputs,
      PollClock clock,
      String version) {
    this.settings = settings;
    this.clock = clock;
    this.inputs = inputs;
    this.counters = new XidCounters(table);
    Path procfs = settings.paths().procfs();
    ClearRequests clears = new ClearRequests(settings.paths().state(), clock);
    OperatorRequests operations = new OperatorRequests(settings.paths().state());
    Runnable requests =
        () -> {
          clears.fetch();
          operations.fetch();
        };
    this.events = new EventStore(settings, clock, requests, this::count, inputs.shown());
    BootDetector boot = new BootDetector(procfs);
    String instance = inputs.node().identity().instanceId().text();
    StartupProbe.run(
            "boot", () -> boot.startEvents(events.restored(), clock.instant(), version, instance))
        .ifPresent(events.history()::add);
    NvmlDriver driver = inputs.sources().driver();
    PciToUuidMap gpus = new PciToUuidMap(inputs.sources().roster());
    KernelFacts kernelFacts = new KernelFacts(() -> version(driver));
    this.xids = new XidDeduplicator(kernelFacts::read, gpus, clock);
    SysFs sys = new SysFs(settings.paths().sysfs());
    this.pciGpus = onPci(sys::nvidiaGpus);
    this.pciEfaDevices = onPci(sys::efaDevices);
    this.policy = new RuleSet.PolicyHolder(policy.policy());
    RuleSet rules = new RuleSet(HealthRules.under(this.policy::xid, table), this.policy);
    this.needs = needs(rules);
    SnapshotBuilder snapshots =
        new SnapshotBuilder(inputs.sources(), this::facts, this::agent, needs);
    HealthEvaluator evaluator =
        new HealthEvaluator(
            new HealthEvaluator.Inputs(
                snapshots,
                xids,
                gpus,
                events::restoreMissed,
                clears::take,
                operations::take,
                driver.release()::set,
                driver::reloads),
            rules,
            events.history(),
            ApplicationExitDetector.below(
                procfs, () -> inputs.sources().cadences().slow().multipliedBy(2)),
            inputs.node()::simulated);
    this.listener = new KernelLogListener(xids, this::wake);
    this.kernelLog = kernelLog(procfs);
    Poller poller = inputs.sources().poller();
    this.loop =
        new EvaluationLoop(
            evaluator,
            xids,
            clock,
            new EvaluationLoop.Timing(poller::nextEvaluation, poller::longestGap, poller::steady),
            startup(rules.profile()));
    clears.onFetch(this::evaluateNext);
    operations.onFetch(this::evaluateNext);
    poller.onChange(loop::evaluateWithin);
  }

  private void count(Event event) {
    counters.add(event);
    hostFaults.add(event);
  }

  private EvaluationLoop.Startup startup(String profile) {
    return new EvaluationLoop.Startup(
        inputs.sources().poller()::settled,
        settings.cadence().deadline().plus(GRACE),
        kernelLog::start,
        HealthReport.notEvaluated(
            clock.instant(),
            "not evaluated yet: the agent has just started",
            profile,
            inputs.node().simulated()));
  }

  private static List<Metric> needs(RuleSet rules) {
    return Stream.of(
            rules.needs(),
            ChangeDetector.NEEDS.stream(),
            MissingActivity.NEEDS.stream(),
            ApplicationExitDetector.NEEDS.stream(),
            StepTimeAttribution.needs(),
            StopCosts.needs())
        .flatMap(one -> one)
        .distinct()
        .toList();
  }

  /** The families that health reads, even if a field file leaves them out. */
  public List<Metric> needs() {
    return needs;
  }

  private static Optional<String> version(NvmlDriver driver) {
    return driver.nvml().map(there -> driver.versions().driver()).filter(text -> !text.isEmpty());
  }

  private KernelLog kernelLog(Path procfs) {
    List<Event> known = events();
    OptionalLong before = BootDetector.readBefore(known);
    Optional<Instant> last =
        BootDetector.sinceBoot(known).stream()
            .filter(Event.KernelMessage.class::isInstance)
            .map(Event::at)
            .max(Instant::compareTo);
    ProcFs proc = new ProcFs(procfs);
    return new KernelLog(
        KernelLog.Settings.nvidia(settings.paths().kmsg(), settings.paths().rootfs(), before, last)
            .also(HostMessages.WORDS),
        clock,
        () -> proc.bootTime(clock).toOptional(),
        listener);
  }

  /** Read for each snapshot: the instance metadata service may identify the node later. */
  private NodeFacts facts() {
    NodeIdentity identity = inputs.node().identity();
    Expectation expected = inputs.node().expectation();
    return new NodeFacts(
        identity.hostname(),
        identity.instanceType().text(),
        identity.instanceId().text(),
        expected.type().map(HealthEngine::hardware),
        expected.gpus(),
        settings.health().expectedEfaDevices(),
        pciGpus,
        pciEfaDevices,
        UnitSource.isRunning(settings.paths().rootfs(), UnitSource.FABRIC_MANAGER),
        platform());
  }

  /** As configured, or else as detected. */
  private Platform.Found platform() {
    return settings
        .guide()
        .platform()
        .map(known -> new Platform.Found(Optional.of(known), "configured"))
        .orElseGet(inputs.node()::platform);
  }

  private static OptionalInt onPci(Supplier<Reading<List<String>>> devices) {
    Optional<Integer> count =
        StartupProbe.run("pci", () -> devices.get().map(List::size)).flatMap(Reading::toOptional);
    return count.isPresent() ? OptionalInt.of(count.get()) : OptionalInt.empty();
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
    return new AgentStatus(
        listener.unavailableReason(),
        listener.fallbackReason(),
        inputs.xidEvents().get(),
        events.unavailableReason());
  }

  /** Applies from the next evaluation on; a finding stays open while the new policy finds it. */
  public void changePolicy(Policy other) {
    policy.change(other);
    evaluateNext();
  }

  /** Evaluations follow other cadences from now on. */
  public void cadencesChanged() {
    wake();
  }

  private void evaluateNext() {
    loop.evaluateWithin(Duration.ZERO);
  }

  public void nvmlXid(XidWatch.Event xid) {
    xids.nvml(xid.uuid(), xid.number(), xid.instance(), xid.at());
    wake();
  }

  private void wake() {
    loop.wake();
  }

  public void start() {
    loop.start();
  }

  /** Evaluates on the caller's thread, where the loop was not started. */
  public HealthReport evaluateNow() {
    return loop.evaluateNow();
  }

  public KernelLog kernelLog() {
    return kernelLog;
  }

  public KernelLogCounts kernelLogCounts() {
    return listener.counts();
  }

  public boolean evaluated() {
    return evaluations() > 0;
  }

  public long evaluations() {
    return loop.evaluations();
  }

  public HealthReport report() {
    return loop.report();
  }

  public List<Event> events() {
    return events.history().events();
  }

  /**
   * Writes the samples of the XIDs; {@code window} is that of {@code DCGM_EXP_XID_ERRORS_COUNT}.
   */
  public Consumer<SampleSink> xidSamples(GpuContext gpus, Duration window) {
    return new XidSamples(counters, gpus, window)::collect;
  }

  /** The health samples for one reader: they are not thread-safe. */
  public Supplier<Samples> samples() {
    HealthSamples samples = new HealthSamples();
    return () ->
        samples.samples(
            report(),
            events.status(),
            listener.counts(),
            new KernelFaults(counters.switches(), hostFaults.counts()));
  }

  /** Closes the event log first: closing the kernel log may block, and its messages are re-read. */
  @Override
  public void close() {
    loop.close();
    events.close();
    kernelLog.close();
  }
}
