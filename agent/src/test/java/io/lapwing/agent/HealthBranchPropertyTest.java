package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventHistory;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.health.engine.ApplicationExitDetector;
import io.lapwing.agent.health.engine.HealthEvaluator;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.health.engine.PciToUuidMap;
import io.lapwing.agent.health.engine.RuleSet;
import io.lapwing.agent.health.engine.SnapshotBuilder;
import io.lapwing.agent.health.engine.XidDeduplicator;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.collect.Reading;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.linux.KernelRecord;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.KernelFacts;
import io.lapwing.xid.XidTable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Any events in any order: from the kernel's lines to the report. */
class HealthBranchPropertyTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");

  private static final List<String> LINES =
      List.of(
          "NVRM: Xid (PCI:0000:53:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
          "NVRM: GPU 0000:53:00.0: GPU has fallen off the bus.",
          "NVRM: Xid (PCI:0000:53:00): 48, pid='<unknown>', name=<unknown>, An uncorrectable double bit error (DBE) has been detected on GPU",
          "NVRM: Xid (PCI:0000:53:00): 63, pid=7194, name=python3, Row Remapper: New row (0x0000000018f31d80) marked for remapping",
          "NVRM: Xid (PCI:0000:64:00): 64, pid=7194, name=python3, Row Remapper Error: (0x0000000018f31d80)",
          "NVRM: Xid (PCI:0000:64:00): 94, pid=7194, name=python3, Contained: CE User Channel (0x9). RST: No, D-RST: No",
          "NVRM: Xid (PCI:0000:64:00): 95, pid=7194, name=python3, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No",
          "NVRM: Xid (PCI:0000:64:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)",
          "NVRM: Xid (PCI:0000:64:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)",
          "NVRM: Xid (PCI:0000:64:00): 145, pid=7, name=x, RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x0409a0c2 0x00000008 0x00000001 0x00000000 0x00100000 0x00000004)",
          "NVRM: Xid (PCI:0000:75:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 7(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)",
          "NVRM: Xid (PCI:0000:75:00): 43, pid=9, name=x, Ch 00000008 caused by previous Xid 79",
          "NVRM: Xid (PCI:0000:75:00): 13, pid=9, name=x, Graphics SM Warp Exception on (GPC 1, TPC 3, SM 0): Out Of Range Address",
          "NVRM: Xid (PCI:0000:75:00 GPU-I:05 GPU-CI:00): 31, pid=9, name=x, MMU Fault",
          "NVRM: Xid (PCI:0000:75:00): 99999, what is this",
          "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  570.133.20  Mon Mar 1 00:00:00 UTC 2026",
          "nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 20034, Fatal, Link 28 LTSSM Fault Up",
          "nvidia-nvswitch3: SXid (PCI:0000:c4:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)");

  /** The driver names a GPU before its first XID. */
  private static final String NAME =
      "NVRM: GPU at PCI:0000:53:00: GPU-11111111-2222-3333-4444-555555555555";

  private static final List<String> PIECES =
      List.of(
          "",
          ", ",
          "): ",
          "(",
          "0x",
          "99999999999999999999",
          "-1",
          "pid=",
          "name=",
          "\n",
          "\u0000",
          "\uD800",
          "NVRM: ",
          "Xid (PCI:0000:aa:00): 79, ",
          "Fatal",
          "\u001b[31m",
          " caused by previous Xid 48");

  /** Something that happens to a node. */
  private sealed interface Step {
    record Kernel(String text) implements Step {}

    record Nvml(int number) implements Step {}

    record Done(int what) implements Step {}

    record Clear(boolean all) implements Step {}

    record Clock(long seconds) implements Step {}

    record Judgement() implements Step {}
  }

  @Provide
  Arbitrary<String> driverLines() {
    return Arbitraries.of(LINES);
  }

  @Provide
  Arbitrary<String> rubbish() {
    Arbitrary<String> spliced =
        Combinators.combine(
                Arbitraries.of(LINES),
                Arbitraries.doubles().between(0, 1),
                Arbitraries.doubles().between(0, 1),
                Arbitraries.of(PIECES))
            .as(HealthBranchPropertyTest::spliced);
    return Arbitraries.oneOf(spliced, Arbitraries.strings().all().ofMaxLength(300));
  }

  private static String spliced(String line, double one, double other, String piece) {
    int from = (int) (Math.min(one, other) * line.length());
    int to = (int) (Math.max(one, other) * line.length());
    return line.substring(0, from) + piece + line.substring(to);
  }

  @Provide
  Arbitrary<Step> steps() {
    Arbitrary<Step> kernel = Arbitraries.oneOf(driverLines(), rubbish()).map(Step.Kernel::new);
    Arbitrary<Step> clock =
        Arbitraries.of(1L, 60L, 400L, 90_000L, 3_000_000L, -90_000L, -400_000_000L)
            .map(Step.Clock::new);
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(12, kernel),
        net.jqwik.api.Tuple.of(
            3, Arbitraries.of(79, 48, 63, 13, 99_999).map(number -> new Step.Nvml(number))),
        net.jqwik.api.Tuple.of(2, Arbitraries.integers().between(0, 4).map(Step.Done::new)),
        net.jqwik.api.Tuple.of(1, Arbitraries.of(true, false).map(Step.Clear::new)),
        net.jqwik.api.Tuple.of(3, clock),
        net.jqwik.api.Tuple.of(6, Arbitraries.create(Step.Judgement::new)));
  }

  /** A node with only the kernel log and NVML's events. */
  private static final class Node implements AutoCloseable {
    private static final Cadences CADENCES =
        new Cadences(
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofSeconds(2));

    private static final XidTable TABLE = XidTable.load();
    private static final Policy POLICY =
        Policy.of(Profile.AWS, TABLE, HealthRules.specs(), PolicyOverrides.NONE);

    Instant now = START;
    long nanos;
    long sequence;
    long kernelXids;
    long others;
    final List<Event.OperatorCleared> clears = new ArrayList<>();
    final KernelFacts reader = new KernelFacts(Optional::empty);
    final EventHistory chronicle;
    private final XidDeduplicator intake;
    private final Poller poller;
    private final HealthEvaluator judge;
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

    Node(List<Event> kept, Instant now) {
      this.now = now;
      GpuRoster roster = new GpuRoster();
      PciToUuidMap names = new PciToUuidMap(roster);
      this.intake = new XidDeduplicator(new KernelFacts(Optional::empty)::read, names, clock);
      this.chronicle = new EventHistory(kept, events -> {}, event -> {});
      this.poller = new Poller(new SnapshotBoard(), CADENCES, clock);
      NodeFacts facts =
          new NodeFacts(
              "node-1",
              "",
              "",
              Optional.empty(),
              OptionalInt.empty(),
              OptionalInt.empty(),
              OptionalInt.empty());
      NvmlDriver driver = new NvmlDriver(() -> new Reading.Unsupported<>("NVML"));
      RuleSet book = new RuleSet(HealthRules.under(POLICY, TABLE), POLICY);
      SnapshotBuilder look =
          new SnapshotBuilder(
              new SnapshotBuilder.Sources(poller, CADENCES, roster, driver),
              () -> facts,
              () -> AgentStatus.ALL_AVAILABLE,
              List.of());
      this.judge =
          new HealthEvaluator(
              new HealthEvaluator.Inputs(
                  look, intake, names, List::of, this::taken, List::of, why -> {}, () -> 0),
              book,
              chronicle,
              ApplicationExitDetector.below(Path.of("/nowhere"), () -> Duration.ofMinutes(2)),
              () -> false);
    }

    private List<Event.OperatorCleared> taken() {
      List<Event.OperatorCleared> all = List.copyOf(clears);
      clears.clear();
      return all;
    }

    void take(Step step) {
      nanos += Duration.ofMillis(200).toNanos();
      if (step instanceof Step.Kernel kernel) {
        Optional<KernelFact> fact = reader.read(kernel.text());
        kernelXids += fact.filter(KernelFact.Xid.class::isInstance).isPresent() ? 1 : 0;
        others += fact.filter(KernelFact.OffBus.class::isInstance).isPresent() ? 1 : 0;
        intake.kernel(
            List.of(
                new KernelRecord(OptionalLong.of(sequence++), Optional.of(now), kernel.text())));
      } else if (step instanceof Step.Nvml nvml) {
        others++;
        intake.nvml("GPU-11111111-2222-3333-4444-555555555555", nvml.number(), now);
      } else if (step instanceof Step.Done done) {
        chronicle.add(List.of(done(done.what())));
      } else if (step instanceof Step.Clear clear) {
        clears.add(new Event.OperatorCleared(now, clear.all() ? "" : "xid_79", "", "done"));
      } else if (step instanceof Step.Clock by) {
        now = now.plusSeconds(by.seconds());
      } else {
        judge();
      }
    }

    private Event done(int what) {
      return switch (what) {
        case 0 -> new Event.Booted(now, "boot-" + nanos, "i-1");
        case 1 -> new Event.Booted(now, "boot-" + nanos, "i-2");
        case 2 -> new Event.DriverLoaded(now, "570.133.20");
        case 3 -> new Event.GpuLost(now, "GPU-1", "gpu_is_lost");
        default -> new Event.GpuReset(now, "GPU-11111111-2222-3333-4444-555555555555", "as told");
      };
    }

    HealthReport judge() {
      HealthReport report = judge.evaluate(now, Duration.ofNanos(nanos));
      assertThat(report.findings())
          .extracting(Finding::rule)
          .as("no rule throws")
          .doesNotContain("rule_broken");
      if (report.verdict() == Verdict.HEALTHY) {
        assertThat(report.findings())
            .noneMatch(finding -> finding.disposition().severity() == Severity.FAILING);
      }
      return report;
    }

    /** Gives out what NVML's events wait for. */
    HealthReport settled() {
      nanos += Duration.ofMinutes(1).toNanos();
      judge();
      return judge();
    }

    long counted() {
      return chronicle.events().stream()
          .filter(Event.Xid.class::isInstance)
          .mapToLong(event -> ((Event.Xid) event).times())
          .sum();
    }

    @Override
    public void close() {
      poller.close();
    }
  }

  /** A boot on it ends every agent in reality; here the findings of states learn of it later. */
  private static final Step OTHER_MACHINE = new Step.Done(1);

  /**
   * What is found in events. A state is found by looking; and a boot on another machine, which ends
   * an agent in reality, is only told here.
   */
  private static Set<String> shown(HealthReport report) {
    return report.findings().stream()
        .filter(one -> one.rule().startsWith("xid_") || one.rule().startsWith("sxid_"))
        .map(
            one ->
                one.rule()
                    + " "
                    + one.subject()
                    + " "
                    + one.disposition()
                    + " "
                    + one.detection().times())
        .collect(Collectors.toSet());
  }

  @Property(tries = 400, seed = "20261121")
  void nothingThrowsCountsAddUpAndARestartSeesTheSame(@ForAll("manySteps") List<Step> steps) {
    try (Node node = new Node(List.of(), START)) {
      node.take(new Step.Kernel(NAME));
      steps.forEach(node::take);
      HealthReport before = node.settled();

      // NVML's events are those of lines or stand for themselves; so are sentences about the bus.
      assertThat(node.counted())
          .isBetween(Math.max(0, node.kernelXids - node.others), node.kernelXids + node.others);
      try (Node again = new Node(node.chronicle.events(), node.now)) {
        assertThat(shown(again.judge())).isEqualTo(shown(before));
        assertThat(again.counted()).isEqualTo(node.counted());
        if (!steps.contains(OTHER_MACHINE)) {
          assertThat(again.judge().since()).isEqualTo(before.since());
        }
      }
    }
  }

  @Provide
  Arbitrary<List<Step>> manySteps() {
    return steps().list().ofMaxSize(60);
  }

  @Property(tries = 300)
  void withoutALineOfTheDriverThereIsNoXid(
      @ForAll @Size(max = 40) List<@net.jqwik.api.From("rubbish") String> texts) {
    try (Node node = new Node(List.of(), START)) {
      texts.stream()
          .filter(text -> node.reader.read(text).isEmpty())
          .forEach(text -> node.take(new Step.Kernel(text)));
      HealthReport report = node.settled();

      assertThat(node.counted()).isZero();
      assertThat(report.findings())
          .extracting(Finding::rule)
          .noneMatch(rule -> rule.startsWith("xid_") || rule.startsWith("sxid_"));
    }
  }

  @Property(tries = 200)
  void withoutASecondVoiceEachLineCountsOnce(
      @ForAll @Size(max = 60) List<@net.jqwik.api.From("driverLines") String> texts) {
    try (Node node = new Node(List.of(), START)) {
      texts.stream()
          .filter(text -> !text.contains("fallen off the bus"))
          .forEach(text -> node.take(new Step.Kernel(text)));
      node.settled();

      assertThat(node.counted()).isEqualTo(node.kernelXids);
    }
  }
}
