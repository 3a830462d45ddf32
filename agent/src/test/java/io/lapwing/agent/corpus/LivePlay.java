package io.lapwing.agent.corpus;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventHistory;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.engine.ApplicationExitDetector;
import io.lapwing.agent.health.engine.HealthEvaluator;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.health.engine.PciToUuidMap;
import io.lapwing.agent.health.engine.RuleSet;
import io.lapwing.agent.health.engine.XidDeduplicator;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.linux.KernelRecord;
import io.lapwing.xid.KernelFacts;
import io.lapwing.xid.XidTable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * An agent's health engine on a virtual clock: it evaluates every ten seconds, and when coalesced
 * events are due, as the running agent does.
 */
@SuppressWarnings("NullAway.Init") // start() initializes the engine
final class LivePlay {

  static final Instant START = Instant.parse("2026-03-01T03:00:00Z");

  private static final XidTable TABLE = XidTable.load();
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  /** Of long waits, in which nothing happens, only some evaluations are made. */
  private static final Duration LONG = Duration.ofMinutes(15);

  /** Has the processes that exist. */
  private final Path procfs;

  final CorpusNode node;
  private final Policy policy;
  private final String driver;
  private final List<Event.OperatorCleared> clears = new ArrayList<>();
  private Instant now = START;
  private long nanos;
  private long startedAt;
  private long sequence;
  private boolean logFile;
  private int boots;
  private EventHistory history;
  private XidDeduplicator xids;
  private HealthEvaluator evaluator;
  private HealthReport report;

  private final PollClock clock =
      new PollClock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public long nanoTime() {
          return nanos;
        }
      };

  LivePlay(CorpusNode node, Profile profile, String driver, Path procfs) {
    this.node = node;
    this.driver = driver;
    this.procfs = procfs;
    this.policy = Policy.of(profile, TABLE, HealthRules.specs(), PolicyOverrides.NONE);
    this.history = new EventHistory(List.of(), events -> {}, event -> {});
  }

  /** The machine booted, some minutes before the agent starts. */
  void boot(String instance, Duration ago) {
    boots++;
    history.add(List.of(new Event.Booted(now.minus(ago), "boot-" + boots, instance)));
    sequence = 0;
    node.boot();
  }

  /** The agent starts, with the event log of the one before. */
  void start() {
    logStart();
    startedAt = nanos;
    PciToUuidMap names = new PciToUuidMap(new GpuRoster());
    xids = new XidDeduplicator(new KernelFacts(() -> Optional.of(driver))::read, names, clock);
    RuleSet rules = new RuleSet(HealthRules.under(policy, TABLE), policy);
    evaluator =
        new HealthEvaluator(
            new HealthEvaluator.Inputs(
                node::build,
                xids,
                names,
                List::of,
                this::cleared,
                List::of,
                release -> {},
                () -> node.reloads),
            rules,
            history,
            ApplicationExitDetector.below(procfs, () -> Duration.ofMinutes(2)),
            () -> false);
    // The agent knows the addresses from NVML; here the driver's own message has them.
    xids.kernel(
        IntStream.range(0, 8)
            .mapToObj(
                gpu -> message("NVRM: GPU at PCI:" + CorpusNode.pci(gpu) + ": " + node.uuid(gpu)))
            .toList());
    evaluate();
  }

  /**
   * An agent that ends before its first evaluation, as where its port is in use, does only this.
   */
  void logStart() {
    List<Event> kept = new ArrayList<>(history.events());
    kept.add(new Event.Started(now, "1"));
    history = new EventHistory(kept, events -> {}, event -> {});
  }

  private List<Event.OperatorCleared> cleared() {
    List<Event.OperatorCleared> all = List.copyOf(clears);
    clears.clear();
    return all;
  }

  void clear(String rule) {
    clears.add(new Event.OperatorCleared(now, rule, "", "repaired"));
  }

  private KernelRecord message(String text) {
    return new KernelRecord(
        logFile ? OptionalLong.empty() : OptionalLong.of(sequence++), Optional.of(now), text);
  }

  /** The kernel log cannot be opened; a file of syslog is read instead, without sequences. */
  void logFile() {
    logFile = true;
  }

  /** A message 50 ms after what was before. */
  void log(String text) {
    pass(Duration.ofMillis(50));
    xids.kernel(List.of(message(text)));
  }

  /** A message of the kernel log from before, as at the agent's start. */
  void logged(Duration ago, String text) {
    xids.kernel(
        List.of(new KernelRecord(OptionalLong.of(sequence++), Optional.of(now.minus(ago)), text)));
  }

  void nvml(int gpu, long number) {
    xids.nvml(node.uuid(gpu), number, now);
  }

  /** Only the time of day changes. */
  void stepClock(Duration by) {
    now = now.plus(by);
  }

  /** The machine is off: nothing is evaluated. */
  void off(Duration time) {
    move(time.toNanos());
  }

  void pass(Duration time) {
    long end = nanos + time.toNanos();
    long detailed = nanos + LONG.toNanos();
    while (nanos < end) {
      long interval = nanos < detailed ? INTERVAL.toNanos() : INTERVAL.toNanos() * 30;
      long tick = (nanos / interval + 1) * interval;
      long next = Math.min(end, tick);
      OptionalLong due = xids.due();
      if (due.isPresent() && due.getAsLong() < next) {
        next = Math.max(due.getAsLong(), nanos);
      }
      boolean evaluates = next == tick || (due.isPresent() && due.getAsLong() <= next);
      move(next - nanos);
      if (evaluates) {
        evaluate();
      }
    }
  }

  private void move(long by) {
    nanos += by;
    now = now.plusNanos(by);
    node.pass(by / 1e9);
  }

  HealthReport evaluate() {
    report = evaluator.evaluate(now, Duration.ofNanos(nanos - startedAt));
    return report;
  }

  /** The report once everything that was logged is evaluated. */
  HealthReport settled() {
    pass(Duration.ofSeconds(1));
    return evaluate();
  }
}
