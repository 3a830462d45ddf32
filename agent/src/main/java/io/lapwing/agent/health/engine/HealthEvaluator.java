package io.lapwing.agent.health.engine;

import io.lapwing.agent.attribution.StepTimeAttribution;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventHistory;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.FindingTracker;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.log.Log;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** One judgement: look, note what changed, ask the rules, keep the book. Used by one thread. */
public final class HealthEvaluator {

  private static final Log LOG = Log.of(HealthEvaluator.class);
  private static final Duration UNWATCHED_APART = Duration.ofMinutes(1);

  /** Half of the window has to be watched, see {@link Trends#increase}. */
  private static final Duration TRENDS_KNOWN = Trends.LONGEST.dividedBy(2).plusSeconds(30);

  private final SnapshotBuilder look;
  private final PciToUuidMap names;
  private final XidDeduplicator intake;
  private final EventHistory chronicle;
  private final RuleSet rules;
  private final Supplier<List<Event.OperatorCleared>> clears;
  private final LongSupplier reloads;
  private final BooleanSupplier simulated;
  private final TrendTable trends;
  private final ChangeDetector observer;
  private final ApplicationExitDetector applications;
  private final FindingTracker book;
  private final VerdictHistory standing;
  private final StepTimeAttribution lost = new StepTimeAttribution();
  private Map<String, String> unwatched = Map.of();
  private Instant unwatchedAt = Instant.MIN;
  private final Set<String> byTrend;
  private Instant began = Instant.MAX;

  /**
   * A judge who goes on from what the chronicle holds.
   *
   * @param clears what operators have cleared since the last call
   * @param reloads how often the driver was loaded anew
   */
  public HealthEvaluator(
      SnapshotBuilder look,
      PciToUuidMap names,
      XidDeduplicator intake,
      EventHistory chronicle,
      RuleSet rules,
      ApplicationExitDetector applications,
      Supplier<List<Event.OperatorCleared>> clears,
      LongSupplier reloads,
      BooleanSupplier simulated) {
    this.look = look;
    this.names = names;
    this.intake = intake;
    this.chronicle = chronicle;
    this.rules = rules;
    this.applications = applications;
    this.clears = clears;
    this.reloads = reloads;
    this.simulated = simulated;
    List<Event> history = chronicle.events();
    this.trends = new TrendTable(together(rules.trends(), StepTimeAttribution.trends()));
    this.observer = new ChangeDetector(history);
    this.byTrend =
        rules.rules().stream()
            .filter(rule -> !rule.trends().isEmpty())
            .map(rule -> rule.spec().name())
            .collect(Collectors.toSet());
    this.book = new FindingTracker(rules.rules().stream().map(HealthRule::spec).toList(), history);
    this.standing = new VerdictHistory(history);
    history.forEach(applications::note);
    names.remember(history);
    intake.remember(history);
  }

  private static Map<String, List<Metric>> together(
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

  public HealthReport judge(Instant now) {
    began = began.isAfter(now) ? now : began;
    rules.judge();
    add(intake.take());
    NodeSnapshot seen = look.view(now, history(), trends);
    trends.note(seen);
    add(observer.observe(seen, reloads.getAsLong(), awaitReset()));
    add(applications.ended(seen));
    cleared(now, seen);
    NodeSnapshot view = seen.after(history());
    add(
        book.update(
            now,
            rules.judge(view),
            (rule, subject) -> !isTooEarly(rule, now) && rules.sees(rule, subject, view)));
    add(book.clear(now, finding -> rules.isOff(finding.rule()), "rule switched off"));
    List<Finding> findings = book.findings();
    add(verdicts(now, findings, view));
    return report(findings, view);
  }

  private void add(List<? extends Event> events) {
    events.forEach(applications::note);
    events.forEach(HealthEvaluator::tell);
    chronicle.add(List.copyOf(events));
  }

  private History history() {
    return new History(named());
  }

  /** The events, with the GPUs named that were known by their PCI address only when it happened. */
  private List<Event> named() {
    List<Event> events = chronicle.events();
    boolean nameless =
        events.stream().anyMatch(event -> event instanceof Event.Xid xid && xid.gpu().isEmpty());
    return nameless ? events.stream().map(names::named).toList() : events;
  }

  private void cleared(Instant now, NodeSnapshot view) {
    for (Event.OperatorCleared asked : clears.get()) {
      Event.OperatorCleared clear =
          new Event.OperatorCleared(
              asked.at(), asked.rule(), subject(asked.subject(), view), asked.note());
      add(List.of(clear));
      add(book.clear(now, finding -> isMeant(clear, finding), "cleared"));
    }
  }

  /** {@code gpu:3} is what people call the GPU with that index. */
  private static String subject(String text, NodeSnapshot view) {
    return view.gpus().stream()
        .filter(gpu -> text.equals("gpu:" + gpu.index()))
        .findFirst()
        .map(gpu -> gpu.subject().text())
        .orElse(text);
  }

  private static boolean isMeant(Event.OperatorCleared clear, Finding finding) {
    return (clear.rule().isEmpty() || clear.rule().equals(finding.rule()))
        && (clear.subject().isEmpty() || clear.subject().equals(finding.subject().text()));
  }

  private Set<String> awaitReset() {
    return book.findings().stream()
        .filter(finding -> finding.call().action().covers(Action.RESET_GPU))
        .map(Finding::subject)
        .filter(Subject.Gpu.class::isInstance)
        .map(subject -> ((Subject.Gpu) subject).uuid())
        .collect(Collectors.toSet());
  }

  /** How counters moved is not known yet when the agent has just begun to look at them. */
  private boolean isTooEarly(String rule, Instant now) {
    return byTrend.contains(rule) && now.isBefore(began.plus(TRENDS_KNOWN));
  }

  private List<Event> verdicts(Instant now, List<Finding> findings, NodeSnapshot view) {
    List<Event> changes = new ArrayList<>();
    standing.judge(now, Subject.NODE, Verdicts.node(findings)).ifPresent(changes::add);
    for (GpuStatus gpu : view.gpus()) {
      Subject subject = gpu.subject();
      standing.judge(now, subject, Verdicts.gpu(findings, subject)).ifPresent(changes::add);
    }
    return changes;
  }

  private HealthReport report(List<Finding> findings, NodeSnapshot view) {
    Verdicts.Ruling node = Verdicts.node(findings);
    List<HealthReport.GpuVerdict> gpus = Verdicts.gpus(findings, view, standing.all());
    return new HealthReport(
        view.now(),
        node.verdict(),
        node.action(),
        node.urgency(),
        standing.since(Subject.NODE, view.now()),
        Verdicts.summary(findings, view),
        gpus,
        findings,
        unwatched(view),
        lost.evaluate(view, findings),
        rules.profile(),
        simulated.getAsBoolean());
  }

  /** Looked into now and then only: what is read hardly ever changes. */
  private Map<String, String> unwatched(NodeSnapshot view) {
    if (unwatchedAt.plus(UNWATCHED_APART).isBefore(view.now()) || unwatchedAt.isAfter(view.now())) {
      unwatchedAt = view.now();
      unwatched = rules.unwatched(view);
    }
    return unwatched;
  }

  /** One line for each thing that happened, as an operator would look for it in the log. */
  private static void tell(Event event) {
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
    } else if (event instanceof Event.FindingClosed closed) {
      LOG.info(
          "finding is gone",
          "rule",
          closed.rule(),
          "subject",
          closed.subject(),
          "why",
          closed.why());
    } else if (event instanceof Event.VerdictChanged changed && changed.subject().equals("node")) {
      LOG.info("verdict", "from", changed.from(), "to", changed.to(), "action", changed.action());
    }
  }
}
