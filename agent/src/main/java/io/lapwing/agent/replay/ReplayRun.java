package io.lapwing.agent.replay;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.FindingTracker;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.health.engine.PciToUuidMap;
import io.lapwing.agent.health.engine.Verdicts;
import io.lapwing.agent.health.engine.XidDeduplicator;
import io.lapwing.agent.health.rules.host.HostRule;
import io.lapwing.agent.health.rules.xid.DriverErrorRule;
import io.lapwing.agent.health.rules.xid.SxidRule;
import io.lapwing.agent.health.rules.xid.XidRule;
import io.lapwing.agent.replay.ReplayOutput.Counts;
import io.lapwing.agent.replay.ReplayOutput.ReplayedEvent;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.host.HostMessage;
import io.lapwing.host.HostMessages;
import io.lapwing.linux.KernelLogText;
import io.lapwing.linux.KernelRecord;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.KernelFacts;
import io.lapwing.xid.SxidTable;
import io.lapwing.xid.XidTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** One log, evaluated as the agent evaluates what it reads. */
final class ReplayRun {

  /** Longer than any finding waits for a further line. */
  private static final Duration NO_MORE = Duration.ofSeconds(30);

  private static final SxidTable SXIDS = SxidTable.load();

  private final Policy policy;
  private final ReplayOutput output;
  private final ReplayClock clock = new ReplayClock();
  private final PciToUuidMap gpus = new PciToUuidMap(new GpuRoster());
  private final XidDeduplicator intake = new XidDeduplicator(this::parsed, gpus, clock);
  private final List<HealthRule> rules;
  private final FindingTracker book;
  private final List<Event> events = new ArrayList<>();
  private KernelFacts facts = new KernelFacts(this::driver);
  private Optional<String> driver;
  private Optional<KernelFact> fact = Optional.empty();
  private Optional<Verdicts.Ruling> ruling = Optional.empty();
  private Instant since = Instant.EPOCH;
  private long recognised;

  ReplayRun(Policy policy, XidTable table, Optional<String> driver, ReplayOutput output) {
    this.policy = policy;
    this.output = output;
    this.rules =
        HealthRules.under(policy, table).stream()
            .filter(ReplayRun::needsEventsOnly)
            .filter(rule -> policy.rule(rule.spec().name()).enabled())
            .toList();
    List<RuleSpec> specs = rules.stream().map(HealthRule::spec).toList();
    this.book = new FindingTracker(specs, List.of());
    this.driver = driver;
    driver.ifPresent(version -> events.add(new Event.DriverLoaded(Instant.EPOCH, version)));
  }

  private static boolean needsEventsOnly(HealthRule rule) {
    return rule instanceof XidRule
        || rule instanceof SxidRule
        || rule instanceof DriverErrorRule
        || rule instanceof HostRule;
  }

  /** From the last load message, or else from the user. */
  private Optional<String> driver() {
    return driver;
  }

  private Optional<KernelFact> parsed(String text) {
    fact = facts.read(text);
    if (fact.isPresent() && fact.get() instanceof KernelFact.DriverLoaded loaded) {
      driver = Optional.of(loaded.version());
    }
    return fact;
  }

  Verdict all(KernelLogText log) {
    while (log.hasNext()) {
      KernelLogText.Entry entry = log.next();
      if (entry instanceof KernelLogText.Entry.Message one) {
        one(one.message());
      } else if (entry instanceof KernelLogText.Entry.Boot boot) {
        booted(boot);
      }
    }
    take();
    // The log has ended, so a detail without a root cause is reported now.
    clock.moveTo(Optional.of(clock.instant().plus(NO_MORE)));
    evaluate();
    KernelLogText.Tally tally = log.tally();
    Counts counts = new Counts(tally.lines(), tally.known(), tally.records(), recognised);
    HealthReport last = report(counts.unreadable());
    output.end(last, counts);
    return last.verdict();
  }

  /**
   * As an agent that starts after a boot: its events are what happened before. It knows the driver
   * and the GPUs' addresses from NVML, so that the log's stay valid here.
   */
  private void booted(KernelLogText.Entry.Boot boot) {
    take();
    clock.moveTo(boot.at());
    String id = boot.id().orElse("");
    Event.Booted booted = new Event.Booted(boot.at().orElse(clock.instant()), id, "");
    facts = new KernelFacts(this::driver);
    gpus.restore(List.of(booted));
    intake.restore(List.of(booted));
    output.boot(boot.at(), id);
    events.add(booted);
    evaluate();
  }

  /** Duplicates are held for as long as the running agent holds them. */
  private void one(KernelRecord message) {
    OptionalLong due = intake.due();
    if (due.isPresent() && due.getAsLong() - clock.nanoTime() <= clock.gap(message.at())) {
      take();
    }
    clock.moveTo(message.at());
    intake.kernel(List.of(message));
    fact.ifPresent(found -> publish(message, found));
    HostMessages.read(message.text())
        .filter(HostMessage.Fault.class::isInstance)
        .ifPresent(found -> publish(message, (HostMessage.Fault) found));
  }

  private void take() {
    List<Event> more = intake.take();
    if (!more.isEmpty()) {
      events.addAll(more);
      evaluate();
    }
  }

  private void publish(KernelRecord message, KernelFact found) {
    recognised++;
    output.event(new ReplayedEvent(message.at(), found, call(found)));
  }

  private void publish(KernelRecord message, HostMessage.Fault found) {
    recognised++;
    output.hostFault(message.at(), found);
  }

  private Optional<Disposition> call(KernelFact found) {
    if (found instanceof KernelFact.Xid xid) {
      return Optional.of(XidRule.meaning(policy::xid, xid.number(), xid.detail()));
    }
    if (found instanceof KernelFact.OffBus) {
      return Optional.of(policy.xid(XidDeduplicator.FALLEN_OFF_THE_BUS));
    }
    if (found instanceof KernelFact.SXid sxid) {
      return Optional.of(
          SxidRule.meaning(
              SXIDS.effect(sxid.number()),
              sxid.fatal().orElse(true),
              policy.rule(SxidRule.NAME).disposition()));
    }
    return DriverErrorRule.nameFor(found).map(name -> policy.rule(name).disposition());
  }

  private NodeSnapshot view() {
    return new NodeSnapshot(
        clock.instant(),
        new NodeFacts(
            "",
            "",
            "",
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty()),
        new DriverStatus.NotPolled(),
        NodeSnapshot.AgentStatus.ALL_AVAILABLE,
        List.of(),
        List.of(),
        new History(gpus.named(events)),
        Trends.NONE);
  }

  private void evaluate() {
    NodeSnapshot view = view();
    List<Detection> symptoms = new ArrayList<>();
    for (HealthRule rule : rules) {
      symptoms.addAll(rule.evaluate(view, policy.rule(rule.spec().name())));
    }
    book.update(clock.instant(), Duration.ZERO, symptoms, (rule, subject, last) -> true);
    Verdicts.Ruling now = Verdicts.node(book.findings());
    Verdicts.Ruling before = ruling.orElse(Verdicts.node(List.of()));
    if (!now.equals(before)) {
      since = clock.instant();
      output.verdict(since, before.verdict(), now.verdict(), now.action(), why());
    }
    ruling = Optional.of(now);
  }

  private String why() {
    List<Finding> findings = book.findings();
    return findings.isEmpty() ? "the finding is over" : Verdicts.worst(findings, view());
  }

  private HealthReport report(Optional<String> unreadable) {
    List<Finding> findings = book.findings();
    Verdicts.Ruling now =
        unreadable.isPresent()
            ? new Verdicts.Ruling(Verdict.UNKNOWN, Action.NONE, Optional.empty())
            : Verdicts.node(findings);
    return new HealthReport(
        clock.instant(),
        now.verdict(),
        now.action(),
        now.urgency(),
        since,
        unreadable.orElseGet(
            () ->
                findings.isEmpty()
                    ? "nothing in this log indicates a fault of a GPU or of the host"
                    : why()),
        List.of(),
        findings,
        Map.of("everything but the kernel log", "a kernel log has no other data"),
        Slowness.NONE,
        Operations.NONE,
        policy.profile(),
        false);
  }
}
