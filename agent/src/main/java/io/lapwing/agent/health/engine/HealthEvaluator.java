package io.lapwing.agent.health.engine;

import io.lapwing.agent.attribution.StepTimeAttribution;
import io.lapwing.agent.attribution.StopCosts;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventHistory;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.FindingTracker;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HardwareHistory;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.rules.gpu.DcgmHealth;
import io.lapwing.common.log.Log;
import io.lapwing.common.text.TimeText;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One evaluation: snapshot, changes, rules, findings. Used by one thread. */
public final class HealthEvaluator {

  private static final Log LOG = Log.of(HealthEvaluator.class);

  /** Half of the longest window, see {@link Trends#increase}. */
  private static final Duration TRENDS_KNOWN = Trends.LONGEST.dividedBy(2).plusSeconds(30);

  /** Longer than three times {@code cadence.fast} at any usual value. */
  private static final Duration SOON = Duration.ofMinutes(2);

  private final Inputs inputs;
  private final RuleSet rules;
  private final EventHistory history;
  private final ApplicationExitDetector applications;
  private final BooleanSupplier simulated;
  private final TrendTable trends;
  private final ChangeDetector changes;
  private final ReplacedHardware replaced = new ReplacedHardware();
  private final HardwareHistory.Cache hardware = new HardwareHistory.Cache();
  private final DriverLoads loads = new DriverLoads();
  private final Confirmations confirmations;
  private final FindingTracker findings;
  private final Verdicts.VerdictHistory verdicts;
  private final OperationTracker operations;
  private final StepTimeAttribution attribution = new StepTimeAttribution();
  private final Unevaluated unevaluated;
  private final Set<String> trendRules;
  private List<GpuStatus> lastGpus = List.of();

  /** Builds the rules' snapshot of the node. */
  public interface Snapshots {
    NodeSnapshot build(Instant now, History history, Trends trends);
  }

  /**
   * The inputs; {@code missed} restores and returns what another agent recorded in the state
   * directory before this one could write to it; {@code clears} and {@code operations} remove and
   * return the operators' pending requests; {@code release} releases the GPUs, with the reason, or
   * takes them back.
   */
  public record Inputs(
      Snapshots snapshots,
      XidDeduplicator xids,
      PciToUuidMap gpus,
      Supplier<List<Event>> missed,
      Supplier<List<Event.OperatorCleared>> clears,
      Supplier<List<OperatorRequest>> operations,
      Consumer<Optional<String>> release,
      LongSupplier driverReloads) {}

  /** Continues from the events in the history. */
  public HealthEvaluator(
      Inputs inputs,
      RuleSet rules,
      EventHistory history,
      ApplicationExitDetector applications,
      BooleanSupplier simulated) {
    this.inputs = inputs;
    this.rules = rules;
    this.history = history;
    this.applications = applications;
    this.simulated = simulated;
    this.unevaluated = new Unevaluated(rules::unevaluated);
    List<Event> restored = history.events();
    this.trends = new TrendTable(merged(rules.trends(), StepTimeAttribution.trends()));
    this.changes = new ChangeDetector(restored);
    this.confirmations = new Confirmations(restored);
    this.trendRules =
        rules.specs().stream()
            .filter(spec -> !spec.trends().isEmpty())
            .map(RuleSpec::name)
            .collect(Collectors.toSet());
    this.findings = new FindingTracker(rules.specs(), restored);
    this.verdicts = new Verdicts.VerdictHistory(restored);
    this.operations = new OperationTracker(rules::disposition, restored);
    release();
    restored.forEach(applications::add);
    inputs.gpus().restore(restored);
    inputs.xids().restore(restored);
  }

  private static Map<String, List<Metric>> merged(
      Map<String, List<Metric>> some, Map<String, List<Metric>> more) {
    Map<String, List<Metric>> all = new HashMap<>();
    List.of(some, more)
        .forEach(
            one ->
                one.forEach(
                    (kind, metrics) ->
                        all.computeIfAbsent(kind, unseen -> new ArrayList<>()).addAll(metrics)));
    return all;
  }

  /** One evaluation; {@code ran}: how long the agent has run, without pauses. */
  public HealthReport evaluate(Instant now, Duration ran) {
    rules.startEvaluation();
    restoreMissed();
    NodeSnapshot polled = reported(inputs.snapshots().build(now, history(), trends));
    trends.add(polled, ran);
    add(changes.detect(polled, inputs.driverReloads().getAsLong(), awaitReset()));
    add(applications.exits(polled));
    replaced(now, polled);
    NodeSnapshot known = withReleased(polled);
    add(operations.update(now, inputs.operations().get(), known));
    release();
    clear(now, known);
    NodeSnapshot snapshot = polled.after(history());
    Confirmations.Result detected =
        confirmations.apply(
            snapshot,
            DcgmHealth.quieted(rules.evaluate(snapshot), findings.findings()),
            findings.findings());
    add(detected.events());
    add(
        findings.update(
            now,
            ran,
            detected.detections(),
            (rule, subject, last) ->
                !isTooEarly(rule, ran) && rules.canEvaluate(rule, subject, snapshot, last)));
    add(findings.clear(now, finding -> rules.isOff(finding.rule()), "rule switched off"));
    List<Finding> counting = findings.withUnconfirmed();
    add(verdictChanges(now, counting, snapshot));
    return report(findings.findings(), counting, named(snapshot));
  }

  /** Continues from what another agent recorded. */
  private void restoreMissed() {
    List<Event> missed = inputs.missed().get();
    if (!missed.isEmpty()) {
      operations.restore(history.events());
      List<Event> ofThisBoot = BootDetector.ofThisBoot(missed, history.events());
      ofThisBoot.forEach(applications::add);
      inputs.gpus().restore(ofThisBoot);
      inputs.xids().restore(ofThisBoot);
    }
  }

  /** Whether no result of the last evaluation changes soon by time alone. */
  boolean isSteady(Instant now) {
    return findings.isSteady() && !operations.endsBy(now.plus(SOON));
  }

  /** Adds what the kernel log and NVML's events reported since the last evaluation. */
  private NodeSnapshot reported(NodeSnapshot polled) {
    List<Event> taken = loads.genuine(inputs.xids().take(), polled);
    if (taken.isEmpty()) {
      return polled;
    }
    add(taken);
    return polled.after(history());
  }

  /** Reports of released GPUs have those that were read before. */
  private NodeSnapshot named(NodeSnapshot snapshot) {
    if (!(snapshot.driver() instanceof DriverStatus.Released)) {
      lastGpus = snapshot.gpus();
    }
    return withReleased(snapshot);
  }

  /** Operators clear and test findings of released GPUs too. */
  private NodeSnapshot withReleased(NodeSnapshot snapshot) {
    return snapshot.driver() instanceof DriverStatus.Released
        ? snapshot.with(lastGpus.stream().map(GpuStatus::released).toList())
        : snapshot;
  }

  private void release() {
    inputs
        .release()
        .accept(
            operations
                .now()
                .released()
                .map(one -> "for maintenance until " + TimeText.moment(one.until())));
  }

  private void add(List<? extends Event> events) {
    events.forEach(applications::add);
    events.forEach(HealthEvaluator::log);
    history.add(List.copyOf(events));
  }

  private History history() {
    return new History(inputs.gpus().named(history.events()));
  }

  /** Ends the findings of hardware that is no longer in the machine. */
  private void replaced(Instant now, NodeSnapshot view) {
    for (Event event : replaced.detect(view)) {
      add(List.of(event));
      add(
          event instanceof Event.GpuRemoved removed
              ? findings.clear(
                  now,
                  finding -> finding.subject().equals(new Subject.Gpu(removed.gpu())),
                  "no longer in this machine")
              : findings.clear(now, finding -> true, "node replaced"));
    }
  }

  private void clear(Instant now, NodeSnapshot view) {
    for (Event.OperatorCleared request : inputs.clears().get()) {
      for (String subject : subjects(request.subject(), view)) {
        Event.OperatorCleared clear =
            new Event.OperatorCleared(request.at(), request.rule(), subject, request.note());
        add(List.of(clear));
        add(
            findings.clear(
                now, finding -> clear.covers(finding.rule(), finding.subject().text()), "cleared"));
      }
    }
  }

  /**
   * Operators write {@code gpu:3} for the GPU with that index. Its XIDs before its UUID was known
   * have its PCI address alone.
   */
  private List<String> subjects(String text, NodeSnapshot view) {
    Optional<GpuStatus> gpu =
        view.gpus().stream()
            .filter(one -> text.equals("gpu:" + one.index()) || text.equals(one.subject().text()))
            .findFirst();
    return gpu.map(
            one ->
                Stream.of(one.subject(), new Subject.Gpu(one.pci()))
                    .filter(subject -> subject.equals(one.subject()) || isUnnamed(one.pci()))
                    .map(Subject::text)
                    .toList())
        .orElse(List.of(text));
  }

  /** Whether the log has an XID or another error of the driver with this PCI address alone. */
  private boolean isUnnamed(String pci) {
    return !pci.isEmpty()
        && history.events().stream()
            .anyMatch(
                event ->
                    (event instanceof Event.Xid xid && xid.gpu().isEmpty() && xid.pci().equals(pci))
                        || (event instanceof Event.DriverError error
                            && error.gpu().isEmpty()
                            && error.pci().equals(pci)));
  }

  private Set<String> awaitReset() {
    return findings.findings().stream()
        .filter(finding -> finding.disposition().action().covers(Action.RESET_GPU))
        .map(Finding::subject)
        .filter(Subject.Gpu.class::isInstance)
        .map(subject -> ((Subject.Gpu) subject).uuid())
        .collect(Collectors.toSet());
  }

  /** Trends are unknown until the counters were read for a while. */
  private boolean isTooEarly(String rule, Duration ran) {
    return trendRules.contains(rule) && ran.compareTo(TRENDS_KNOWN) < 0;
  }

  private List<Event> verdictChanges(Instant now, List<Finding> findings, NodeSnapshot view) {
    List<Event> changes = new ArrayList<>();
    verdicts.update(now, Subject.NODE, Verdicts.node(findings)).ifPresent(changes::add);
    for (GpuStatus gpu : view.gpus()) {
      verdicts.update(now, gpu.subject(), Verdicts.gpu(findings, gpu)).ifPresent(changes::add);
    }
    return changes;
  }

  /** {@code counting}: for the verdicts. */
  private HealthReport report(List<Finding> open, List<Finding> counting, NodeSnapshot view) {
    Verdicts.Ruling node = Verdicts.node(counting);
    List<HealthReport.GpuVerdict> gpus = Verdicts.gpus(counting, view, verdicts.all());
    return new HealthReport(
        view.now(),
        node.verdict(),
        node.action(),
        node.urgency(),
        verdicts.since(Subject.NODE, view.now()),
        Verdicts.summary(counting, view),
        gpus,
        open,
        unevaluated.of(view),
        attribution.evaluate(view, open),
        operations
            .now()
            .withClosed(view.driver() instanceof DriverStatus.Released one && one.closed()),
        rules.profile(),
        simulated.getAsBoolean(),
        hardware.of(view.history()).tallies(view),
        trends.leftOut(),
        StopCosts.of(view),
        name(view));
  }

  private static HealthReport.NodeName name(NodeSnapshot view) {
    NodeFacts node = view.node();
    return new HealthReport.NodeName(
        node.hostname(),
        node.instanceId(),
        node.platform().platform(),
        node.platform().why(),
        view.history().last(Event.Booted.class, boot -> true).map(Event.Booted::bootId).orElse(""));
  }

  private static void log(Event event) {
    if (event instanceof Event.FindingOpened opened) {
      LOG.warn(
          "finding",
          "rule",
          opened.rule(),
          "subject",
          opened.subject(),
          "severity",
          opened.severity(),
          "action",
          opened.action(),
          "what",
          opened.what());
    } else if (event instanceof Event.FindingEscalated escalated) {
      LOG.warn(
          "finding escalated",
          "rule",
          escalated.rule(),
          "subject",
          escalated.subject(),
          "severity",
          escalated.severity(),
          "action",
          escalated.action());
    } else if (event instanceof Event.FindingClosed closed) {
      LOG.info(
          "finding closed",
          "rule",
          closed.rule(),
          "subject",
          closed.subject(),
          "why",
          closed.why());
    } else if (event instanceof Event.FindingConfirmation word) {
      LOG.info(
          word.confirmed() ? "NVML confirms the finding" : "the finding is not confirmed",
          "rule",
          word.rule(),
          "subject",
          word.subject());
    } else if (event instanceof Event.MaintenanceStarted started) {
      LOG.info("maintenance started", "until", started.until(), "note", started.note());
    } else if (event instanceof Event.MaintenanceEnded ended) {
      LOG.info("maintenance ended", "why", ended.why());
    } else if (event instanceof Event.GpusReleased release) {
      LOG.info("GPUs released", "until", release.until());
    } else if (event instanceof Event.GpusReopened reopened) {
      LOG.info("GPUs reopened", "why", reopened.why());
    } else if (event instanceof Event.TestFinding test) {
      LOG.info("test finding", "rule", test.rule(), "subject", test.subject());
    } else if (event instanceof Event.VerdictChanged changed && changed.subject().equals("node")) {
      LOG.info("verdict", "from", changed.from(), "to", changed.to(), "action", changed.action());
    }
  }
}
