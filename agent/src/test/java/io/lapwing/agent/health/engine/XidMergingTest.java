package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.rules.xid.XidRule;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.common.config.ConfigException;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.linux.KernelRecord;
import io.lapwing.xid.KernelFacts;
import io.lapwing.xid.XidTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Merging duplicates within the coalesce window never changes a finding's disposition. */
class XidMergingTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");
  private static final String XID = "NVRM: Xid (PCI:0000:b5:00): ";

  private static final String RLW_IGNORE =
      "145, RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x00000004 0x00000001 0x0 0x0 0x0 0x0)";
  private static final String RLW_RESET =
      "145, RLW_REMAP Fatal XC0 i0 Link 13 (0x00000082 0x00000040 0x0 0x0 0x0 0x0)";
  private static final String NVLINK_SECONDARY =
      "74, NVLink: fatal error detected on link 14(0x100000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)";
  private static final String NVLINK_HARDWARE =
      "74, NVLink: fatal error detected on link 14(0x10000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)";
  private static final String CHANGED = "154, GPU recovery action changed from ";
  private static final String DRAIN = CHANGED + "0x0 (None) to 0x4 (Drain and Reset)";
  private static final String RESET = CHANGED + "0x0 (None) to 0x1 (GPU Reset Required)";
  private static final String REBOOT =
      CHANGED + "0x1 (GPU Reset Required) to 0x2 (Node Reboot Required)";
  private static final String NONE = CHANGED + "0x1 (GPU Reset Required) to 0x0 (None)";
  private static final String CONTAINED =
      "94, pid=7, name=python3, Contained: LTC TAG (0x2, 0x1). RST: No, D-RST: No";
  private static final String CONTAINED_RESET =
      "94, pid=7, name=python3, Contained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No";

  /** A line and the milliseconds since the line before. */
  private record Timed(int gap, String line) {}

  private static final class Clock implements PollClock {
    private Duration elapsed = Duration.ZERO;

    @Override
    public Instant instant() {
      return START.plus(elapsed);
    }

    @Override
    public long nanoTime() {
      return elapsed.toNanos();
    }
  }

  /** The events of the lines; merged like the agent does, or each on its own. */
  private static List<Event> events(List<Timed> lines, boolean merged) {
    Clock clock = new Clock();
    XidDeduplicator deduplicator =
        new XidDeduplicator(
            new KernelFacts(() -> Optional.of("570.86.15"))::read,
            new PciToUuidMap(new GpuRoster()),
            clock);
    List<Event> events = new ArrayList<>(List.of(new Event.DriverLoaded(START, "570.86.15")));
    for (Timed timed : lines) {
      Duration next = clock.elapsed.plusMillis(timed.gap());
      OptionalLong due = deduplicator.due();
      if (!merged || (due.isPresent() && due.getAsLong() <= next.toNanos())) {
        events.addAll(deduplicator.take());
      }
      clock.elapsed = next;
      deduplicator.kernel(
          List.of(
              new KernelRecord(
                  OptionalLong.empty(), Optional.of(clock.instant()), XID + timed.line())));
    }
    events.addAll(deduplicator.take());
    return events;
  }

  /** Rule, severity, action and urgency of each finding. */
  private static Set<String> findings(List<Event> events) throws ConfigException {
    XidTable table = XidTable.load();
    Policy policy =
        EffectivePolicy.load(
                new Settings.Health(
                    Optional.of(Profile.AWS),
                    Optional.empty(),
                    OptionalInt.empty(),
                    OptionalInt.empty()),
                table,
                HealthRules.specs())
            .policy();
    NodeSnapshot view =
        new NodeSnapshot(
            START.plusSeconds(60),
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
    Set<String> findings = new TreeSet<>();
    for (HealthRule rule : HealthRules.under(policy, table)) {
      if (rule instanceof XidRule) {
        for (Detection detection : rule.evaluate(view, policy.rule(rule.spec().name()))) {
          Disposition disposition = detection.disposition();
          findings.add(
              String.join(
                  " ",
                  detection.rule(),
                  disposition.severity().text(),
                  disposition.action().text(),
                  disposition.urgency().text()));
        }
      }
    }
    return findings;
  }

  private static Set<String> findings(boolean merged, String... lines) throws ConfigException {
    List<Timed> timed = new ArrayList<>();
    for (String line : lines) {
      timed.add(new Timed(50, line));
    }
    return findings(events(timed, merged));
  }

  static Stream<Arguments> pairs() {
    return Stream.of(
        Arguments.of(RLW_IGNORE, RLW_RESET, "failing reset_gpu"),
        Arguments.of(NVLINK_SECONDARY, NVLINK_HARDWARE, "failing reset_gpu"),
        Arguments.of(DRAIN, RESET, "failing reset_gpu"),
        Arguments.of(RESET, REBOOT, "failing reboot_node"),
        Arguments.of(CONTAINED, CONTAINED_RESET, "failing replace_node"));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theWorseOfTwoMessagesDecides(String mild, String severe, String expected)
      throws ConfigException {
    assertThat(findings(true, mild, severe)).singleElement().asString().contains(expected);
    assertThat(findings(true, severe, mild)).singleElement().asString().contains(expected);
  }

  @Provide
  Arbitrary<List<Timed>> bursts() {
    Arbitrary<String> lines =
        Arbitraries.of(
            RLW_IGNORE,
            RLW_RESET,
            NVLINK_SECONDARY,
            NVLINK_HARDWARE,
            DRAIN,
            RESET,
            REBOOT,
            NONE,
            CONTAINED,
            CONTAINED_RESET,
            "45, pid=7, name=python3, Ch 00000010",
            "31, pid=7, name=python3, Ch 0000000b",
            "48, pid=7, name=python3, DBE (double bit error) ECC Error",
            "63, Row Remapper: New row",
            "79, GPU has fallen off the bus.",
            "119, Timeout after 6s of waiting for RPC response");
    return Combinators.combine(Arbitraries.integers().between(0, 500), lines)
        .as(Timed::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12);
  }

  @Property(tries = 1000)
  void mergedBurstsHaveTheSameFindings(@ForAll("bursts") List<Timed> lines) throws ConfigException {
    assertThat(findings(events(lines, true))).isEqualTo(findings(events(lines, false)));
  }
}
