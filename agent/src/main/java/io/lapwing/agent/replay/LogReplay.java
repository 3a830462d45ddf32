package io.lapwing.agent.replay;

import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.events.Event;
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
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.engine.EffectivePolicy;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.health.engine.PciToUuidMap;
import io.lapwing.agent.health.engine.Verdicts;
import io.lapwing.agent.health.engine.XidDeduplicator;
import io.lapwing.agent.health.rules.xid.SxidRule;
import io.lapwing.agent.health.rules.xid.XidRule;
import io.lapwing.agent.replay.ReplayOutput.ReplayedEvent;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.linux.KernelLogText;
import io.lapwing.linux.KernelRecord;
import io.lapwing.linux.LogDating;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.KernelFacts;
import io.lapwing.xid.XidTable;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Evaluates a saved kernel log on its own clock, with the rules that need only events. */
public final class LogReplay {

  /** Replays the whole log; throws for an invalid policy or profile, or an unreadable log. */
  public void replay(ReplayRequest request, ReplayOutput output)
      throws ConfigException, IOException {
    XidTable table = XidTable.load();
    EffectivePolicy site =
        EffectivePolicy.load(
            new Settings.Health(
                profile(request), request.policy(), OptionalInt.empty(), OptionalInt.empty()),
            table,
            HealthRules.specs());
    try (InputStream in = new BufferedInputStream(Files.newInputStream(request.kmsg()))) {
      LogDating dating = new LogDating(Optional.of(Instant.EPOCH), Instant.now(), ZoneOffset.UTC);
      new Run(site.policy(), table, output).all(new KernelLogText(in, dating));
    }
  }

  private static Optional<Profile> profile(ReplayRequest request) throws ConfigException {
    if (request.profile().isEmpty()) {
      return Optional.empty();
    }
    String word = request.profile().get();
    for (Profile profile : Profile.values()) {
      if (profile.toString().equals(word.toLowerCase(Locale.ROOT))) {
        return Optional.of(profile);
      }
    }
    throw new ConfigException(List.of("flag --profile: '" + word + "' is neither aws nor nvidia"));
  }

  /** The log's time, which advances with each timestamped message. */
  private static final class LogClock implements PollClock {

    private static final Duration MAX_GAP = Duration.ofDays(1);

    private Instant now = Instant.EPOCH;
    private Instant last = Instant.EPOCH;
    private long nanos;

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    /**
     * Nanoseconds from the last message to one with that time. A message without a time, or from
     * before the last one (another boot, a corrected clock), is not merged with those before it.
     */
    long gap(Optional<Instant> then) {
      return then.map(at -> Duration.between(last, at))
          .filter(gap -> !gap.isNegative())
          .map(gap -> gap.compareTo(MAX_GAP) < 0 ? gap : MAX_GAP)
          .orElse(XidDeduplicator.COALESCE_WINDOW)
          .toNanos();
    }

    void moveTo(Optional<Instant> then) {
      nanos += gap(then);
      last = then.orElse(last);
      now = then.filter(at -> at.isAfter(now)).orElse(now);
    }
  }

  private static final class Run {

    private final Policy policy;
    private final ReplayOutput output;
    private final LogClock clock = new LogClock();
    private final KernelFacts facts = new KernelFacts(Optional::empty);
    private final XidDeduplicator intake =
        new XidDeduplicator(this::parsed, new PciToUuidMap(new GpuRoster()), clock);
    private final List<HealthRule> rules;
    private final FindingTracker book;
    private final List<Event> events = new ArrayList<>();
    private Optional<KernelFact> fact = Optional.empty();
    private Optional<Verdicts.Ruling> ruling = Optional.empty();
    private Instant since = Instant.EPOCH;
    private long recognised;

    Run(Policy policy, XidTable table, ReplayOutput output) {
      this.policy = policy;
      this.output = output;
      this.rules =
          HealthRules.under(policy, table).stream()
              .filter(rule -> rule instanceof XidRule || rule instanceof SxidRule)
              .toList();
      List<RuleSpec> specs = rules.stream().map(HealthRule::spec).toList();
      this.book = new FindingTracker(specs, List.of());
    }

    private Optional<KernelFact> parsed(String text) {
      fact = facts.read(text);
      return fact;
    }

    void all(KernelLogText log) {
      while (log.hasNext()) {
        one(log.next());
      }
      take();
      output.end(report(), log.tally().lines(), recognised);
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

    private Optional<Disposition> call(KernelFact found) {
      if (found instanceof KernelFact.Xid xid) {
        return Optional.of(XidRule.meaning(policy::xid, xid.number(), xid.detail()));
      }
      if (found instanceof KernelFact.OffBus) {
        return Optional.of(policy.xid(XidDeduplicator.FALLEN_OFF_THE_BUS));
      }
      return found instanceof KernelFact.SXid sxid
          ? Optional.of(
              sxid.fatal().orElse(true)
                  ? policy.rule(SxidRule.NAME).disposition()
                  : Disposition.info())
          : Optional.empty();
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
          new History(events),
          Trends.NONE);
    }

    private void evaluate() {
      NodeSnapshot view = view();
      List<Detection> symptoms = new ArrayList<>();
      for (HealthRule rule : rules) {
        symptoms.addAll(rule.evaluate(view, policy.rule(rule.spec().name())));
      }
      book.update(clock.instant(), symptoms, subject -> true);
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

    private HealthReport report() {
      List<Finding> findings = book.findings();
      Verdicts.Ruling now = Verdicts.node(findings);
      return new HealthReport(
          clock.instant(),
          now.verdict(),
          now.action(),
          now.urgency(),
          since,
          findings.isEmpty() ? "nothing in this log indicates a sick GPU" : why(),
          List.of(),
          findings,
          Map.of("everything but XIDs and SXids", "a kernel log has no other data"),
          Slowness.NONE,
          policy.profile(),
          false);
    }
  }
}
