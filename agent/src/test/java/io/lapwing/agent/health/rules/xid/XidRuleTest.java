package io.lapwing.agent.health.rules.xid;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.xid.XidDetail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** XID sequences: the errors, the remediations, and the findings that remain. */
class XidRuleTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");
  private static final String GPU_2 = "GPU-two";
  private static final String GPU_3 = "GPU-three";

  private final List<Event> events = new ArrayList<>();
  private Instant now = START;
  private IntFunction<Disposition> policy = XidRuleTest::policy;

  private static final Map<Integer, Disposition> POLICY =
      Map.of(
          79, Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
          119, Disposition.failing(Action.RESET_GPU, Urgency.NOW),
          48, Disposition.failing(Action.RESET_GPU, Urgency.NOW),
          63, Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END),
          64, Disposition.failing(Action.REPLACE_NODE, Urgency.NOW),
          74, Disposition.failing(Action.RESET_GPU, Urgency.NOW),
          94, Disposition.degraded(Action.RESTART_APP, Urgency.NOW),
          95, Disposition.failing(Action.RESET_GPU, Urgency.NOW),
          154, Disposition.degraded(Action.WATCH, Urgency.JOB_END));

  private static final Map<Integer, Disposition> INFO =
      Map.of(
          45, Disposition.info(),
          43, Disposition.info(),
          13, new Disposition(Severity.INFO, Action.RESTART_APP, Urgency.NOW));

  private static Disposition policy(int number) {
    return Optional.ofNullable(POLICY.get(number))
        .or(() -> Optional.ofNullable(INFO.get(number)))
        .orElse(Disposition.degraded(Action.WATCH, Urgency.JOB_END));
  }

  private static final XidRule.Words WORDS =
      new XidRule.Words() {
        @Override
        public String name(int number) {
          return "name of " + number;
        }

        @Override
        public String why(int number) {
          return "Why of " + number + ".";
        }

        @Override
        public String document(int number) {
          return "document";
        }
      };

  /** As the driver's words are read; the reader itself has tests of its own. */
  private static XidDetail detail(int number, String message, Optional<String> driver) {
    if (number == 154) {
      return new XidDetail.RecoveryChange(0, message.charAt(message.length() - 1) - '0', message);
    }
    if (number == 95 || number == 94) {
      return new XidDetail.Containment(
          number == 94,
          "LTC",
          Optional.of(message.contains("RST: Yes")),
          Optional.of(message.contains("D-RST: Yes")));
    }
    return XidDetail.NONE;
  }

  private XidRuleTest later(Duration time) {
    now = now.plus(time);
    return this;
  }

  private XidRuleTest xid(String gpu, int number) {
    return xid(gpu, number, "", OptionalLong.empty());
  }

  private XidRuleTest xid(String gpu, int number, String message, OptionalLong pid) {
    return xid(gpu, OptionalInt.empty(), number, message, pid);
  }

  private XidRuleTest mig(int instance, int number) {
    return xid(GPU_3, OptionalInt.of(instance), number, "", OptionalLong.empty());
  }

  private XidRuleTest xid(
      String gpu, OptionalInt instance, int number, String message, OptionalLong pid) {
    events.add(
        new Event.Xid(
            now,
            gpu,
            "0000:53:00",
            instance,
            OptionalInt.empty(),
            number,
            pid,
            pid.isPresent() ? "python3" : "",
            message,
            OptionalInt.empty(),
            Set.of(Event.Origin.KERNEL),
            1,
            OptionalLong.of(events.size())));
    return this;
  }

  private XidRuleTest reset(String gpu) {
    events.add(new Event.GpuReset(now, gpu, "test"));
    return this;
  }

  private XidRuleTest boot(String instance) {
    events.add(new Event.Booted(now, "boot-" + events.size(), instance));
    return this;
  }

  private List<Detection> detections() {
    NodeSnapshot view =
        new NodeSnapshot(
            now,
            new NodeFacts(
                "node",
                "",
                "",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()),
            new DriverStatus.Up("580.95.05", 8),
            NodeSnapshot.AgentStatus.ALL_AVAILABLE,
            List.of(
                new GpuStatus(GPU_2, 2, "0000:53:00", PartStatus.State.ANSWERS, Values.NONE),
                new GpuStatus(GPU_3, 3, "0000:64:00", PartStatus.State.ANSWERS, Values.NONE)),
            List.of(),
            new History(events),
            Trends.NONE);
    Map<String, Double> thresholds =
        XidRule.specification().thresholds().stream()
            .collect(Collectors.toMap(Threshold::name, Threshold::preset));
    return new XidRule(policy, WORDS, XidRuleTest::detail)
        .evaluate(
            view, new RulePolicy(XidRule.specification(), true, Disposition.info(), thresholds));
  }

  private Detection only() {
    List<Detection> detections = detections();
    assertThat(detections).hasSize(1);
    return detections.get(0);
  }

  @Test
  void aFindingNamesTheMigInstancesOfItsXids() {
    mig(7, 94);
    assertThat(detections().get(0).what()).isEqualTo("XID 94, name of 94 (MIG instance 7)");
    assertThat(detections().get(0).instance()).hasValue(7);

    mig(9, 94).mig(7, 94);
    assertThat(detections().get(0).what()).contains("(MIG instances 7 and 9)");
    assertThat(detections().get(0).instance()).as("of several").isEmpty();

    xid(GPU_3, 94);
    assertThat(detections().get(0).what()).contains("(MIG instances 7 and 9 and the whole GPU)");
  }

  @Test
  void aRequestOfTheDriverThatRecursWithAnApplicationsXidEscalates() {
    xid(GPU_3, 154, "to 1", OptionalLong.empty()).later(Duration.ofMinutes(10)).reset(GPU_3);
    later(Duration.ofHours(1)).xid(GPU_3, 13).later(Duration.ofSeconds(150));
    xid(GPU_3, 154, "to 1", OptionalLong.empty());
    assertThat(only().disposition().action()).isEqualTo(Action.REBOOT_NODE);

    later(Duration.ofHours(1)).reset(GPU_3).boot("").later(Duration.ofDays(8)).xid(GPU_3, 13);
    xid(GPU_3, 154, "to 1", OptionalLong.empty());
    assertThat(only().disposition().action()).as("a week later").isEqualTo(Action.RESET_GPU);
  }

  @Test
  void aLoadThatIsReadAfterARequestAndWasBeforeItCarriesOutNothing() {
    xid(GPU_3, 154, "to 1", OptionalLong.empty());
    events.add(new Event.DriverLoaded(now.minusSeconds(60), "580.95.05"));
    later(Duration.ofMinutes(1)).xid(GPU_3, 154, "to 1", OptionalLong.empty());

    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);
  }

  @Test
  void aClearForgetsTheRequestsOfTheDriver() {
    xid(GPU_3, 154, "to 1", OptionalLong.empty()).later(Duration.ofMinutes(10)).reset(GPU_3);
    later(Duration.ofHours(1)).xid(GPU_3, 13);
    events.add(new Event.OperatorCleared(now, "", "gpu:" + GPU_3, ""));
    xid(GPU_3, 13).xid(GPU_3, 154, "to 1", OptionalLong.empty());

    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);
  }

  @Test
  void aLaterXidDoesNotTakeTheRequestOfTheDriverFromAnOpenFault() {
    xid(GPU_3, 48).later(Duration.ofMinutes(10));
    xid(GPU_3, 154, "to 2", OptionalLong.empty()).later(Duration.ofMinutes(1)).xid(GPU_3, 137);

    assertThat(detections())
        .filteredOn(one -> one.rule().equals("xid_48"))
        .singleElement()
        .extracting(one -> one.disposition().action())
        .isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void anXidOfAMigInstanceExplainsNoneOfAnother() {
    mig(7, 94).mig(7, 45).mig(9, 45);
    assertThat(detections())
        .extracting(Detection::what)
        .containsExactlyInAnyOrder(
            "XID 94, name of 94 (MIG instance 7); with XID 45",
            "XID 45, name of 45 (MIG instance 9)");
  }

  @Test
  void anXidOfTheWholeGpuExplainsThoseOfItsMigInstances() {
    xid(GPU_3, 95).mig(7, 45).mig(9, 43);
    assertThat(detections())
        .extracting(Detection::what)
        .containsExactly("XID 95, name of 95; with XID 43, 45");
  }

  /** NVML reported the XID; the kernel log became readable only then. */
  @Test
  void aLoadOfTheDriverBeforeAnXidDoesNotResolveItHoweverLateItIsRead() {
    xid(GPU_3, 119);
    events.add(new Event.DriverLoaded(now.minusSeconds(8), "580.95.05"));
    assertThat(only().rule()).isEqualTo("xid_119");

    events.add(new Event.DriverLoaded(now.plusSeconds(8), "580.95.05"));
    assertThat(detections()).isEmpty();
  }

  @Test
  void oneXidIsOneFindingWithItsRow() {
    Detection detection = xid(GPU_3, 79, "GPU has fallen off the bus.", OptionalLong.of(12)).only();

    assertThat(detection.rule()).isEqualTo("xid_79");
    assertThat(detection.subject().text()).isEqualTo("gpu:" + GPU_3);
    assertThat(detection.disposition())
        .isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW));
    assertThat(detection.what())
        .isEqualTo("XID 79, name of 79: GPU has fallen off the bus (process python3, pid 12)");
    assertThat(detection.since()).contains(START);
    assertThat(detection.sources()).containsExactly("kernel log");
  }

  @Test
  void thirtyOfThemAreOneFindingThatCountsThirty() {
    for (int i = 0; i < 30; i++) {
      xid(GPU_3, 119).later(Duration.ofSeconds(6));
    }
    Detection detection = only();

    assertThat(detection.times()).isEqualTo(30);
    assertThat(detection.since()).contains(START);
    assertThat(detection.last()).contains(START.plusSeconds(29 * 6));
  }

  @Test
  void anUnknownNumberIsAFindingToo() {
    assertThat(xid(GPU_3, 999).only().disposition().action()).isEqualTo(Action.WATCH);
  }

  @Test
  void anXid45AfterAnotherIsNoFindingOfItsOwn() {
    xid(GPU_3, 119).later(Duration.ofSeconds(2)).xid(GPU_3, 45).xid(GPU_3, 45);

    assertThat(only().rule()).isEqualTo("xid_119");
    assertThat(only().what()).endsWith("; with XID 45");
  }

  @Test
  void anXid45AloneIsWorthKnowingOnly() {
    assertThat(xid(GPU_3, 45).only().disposition().severity()).isEqualTo(Severity.INFO);
  }

  @Test
  void theRemapThatFollowsADoubleBitErrorBelongsToIt() {
    xid(GPU_3, 48).later(Duration.ofSeconds(1)).xid(GPU_3, 63).xid(GPU_3, 45);

    assertThat(only().rule()).isEqualTo("xid_48");
    assertThat(only().what()).contains("63");
  }

  @Test
  void aRemapThatCouldNotBeRecordedIsItsOwnFinding() {
    xid(GPU_3, 48).xid(GPU_3, 64);

    assertThat(detections()).extracting(Detection::rule).containsExactly("xid_48", "xid_64");
  }

  @Test
  void twoMinutesLaterIsTheSameBurstAndFourMinutesLaterIsNot() {
    xid(GPU_3, 48).later(Duration.ofMinutes(2)).xid(GPU_3, 63);
    assertThat(detections()).hasSize(1);

    later(Duration.ofMinutes(4)).xid(GPU_3, 63);
    assertThat(detections()).extracting(Detection::rule).containsExactly("xid_48", "xid_63");
  }

  @Test
  void anNvlinkErrorBesideALostPeerIsAnInfo() {
    xid(GPU_2, 74).later(Duration.ofSeconds(3)).xid(GPU_3, 79);

    assertThat(detections())
        .filteredOn(detection -> detection.rule().equals("xid_74"))
        .singleElement()
        .extracting(detection -> detection.disposition().severity())
        .isEqualTo(Severity.INFO);
  }

  @Test
  void anNvlinkErrorWithoutADeadPeerIsAFault() {
    assertThat(xid(GPU_2, 74).only().disposition().severity()).isEqualTo(Severity.FAILING);
  }

  @Test
  void theDriversRecoveryActionBelongsToItsFault() {
    xid(GPU_3, 119).xid(GPU_3, 154, "to 2", OptionalLong.empty());

    assertThat(only().rule()).isEqualTo("xid_119");
    assertThat(only().disposition().action()).isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void theDriversWordMayComeBeforeTheFault() {
    xid(GPU_3, 154, "to 2", OptionalLong.empty()).xid(GPU_3, 119);

    assertThat(only().disposition().action()).isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void drainAndResetMakesTheResetWaitForTheJob() {
    xid(GPU_3, 119).xid(GPU_3, 154, "to 4", OptionalLong.empty());

    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);
    assertThat(only().disposition().urgency()).isEqualTo(Urgency.JOB_END);
  }

  @Test
  void theDriversWordAloneIsAFindingUntilItIsTakenBack() {
    xid(GPU_3, 154, "to 1", OptionalLong.empty());
    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);

    xid(GPU_3, 154, "to 0", OptionalLong.empty());
    assertThat(detections()).isEmpty();
  }

  @Test
  void theFlagsOfAContainedErrorRequireMoreThanItsRow() {
    xid(GPU_3, 94, "Contained: LTC. RST: No, D-RST: Yes", OptionalLong.of(1));

    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);
  }

  @Test
  void theRequiredResetClosesIt() {
    xid(GPU_3, 119).later(Duration.ofMinutes(5)).reset(GPU_3);

    assertThat(detections()).isEmpty();
  }

  @Test
  void theResetOfAnotherGpuDoesNot() {
    xid(GPU_3, 119).later(Duration.ofMinutes(5)).reset(GPU_2);

    assertThat(detections()).hasSize(1);
  }

  @Test
  void aResetIsNotEnoughWhereARebootIsRequired() {
    xid(GPU_3, 79).later(Duration.ofMinutes(5)).reset(GPU_3);
    assertThat(detections()).hasSize(1);

    boot("i-1");
    assertThat(detections()).isEmpty();
  }

  @Test
  void onlyAnotherInstanceClosesARequiredReplacement() {
    boot("i-1").xid(GPU_3, 64).later(Duration.ofMinutes(5)).boot("i-1");
    assertThat(detections()).hasSize(1);

    boot("i-2");
    assertThat(detections()).isEmpty();
  }

  @Test
  void aRecurrenceAfterTheResetRequiresAReboot() {
    xid(GPU_3, 119).later(Duration.ofMinutes(5)).reset(GPU_3);
    later(Duration.ofHours(3)).xid(GPU_3, 119);

    assertThat(only().disposition().action()).isEqualTo(Action.REBOOT_NODE);
    assertThat(only().why()).startsWith("It came back after");
    assertThat(only().since()).contains(now);
  }

  @Test
  void aRecurrenceAfterTheRebootRequiresAReplacement() {
    xid(GPU_3, 119).later(Duration.ofMinutes(5)).reset(GPU_3);
    later(Duration.ofHours(3)).xid(GPU_3, 119).later(Duration.ofMinutes(5)).boot("i-1");
    later(Duration.ofHours(3)).xid(GPU_3, 119);

    assertThat(only().disposition().action()).isEqualTo(Action.REPLACE_NODE);
  }

  @Test
  void theDetailOfAnErrorWaitsForTheErrorItself() {
    xid(GPU_3, 172);
    assertThat(detections()).isEmpty();

    xid(GPU_3, 48);
    assertThat(only().rule()).isEqualTo("xid_48");
    assertThat(only().what()).endsWith("; with XID 172");
  }

  @Test
  void aDetailWithoutAnErrorIsReported() {
    xid(GPU_3, 172).later(Duration.ofSeconds(5));

    assertThat(only().rule()).isEqualTo("xid_172");
  }

  @Test
  void theDriversRecoveryActionIsTakenAsItIs() {
    xid(GPU_3, 154, "to 4", OptionalLong.empty()).later(Duration.ofHours(1)).reset(GPU_3);
    later(Duration.ofMinutes(10)).xid(GPU_3, 154, "to 2", OptionalLong.empty());

    assertThat(only().disposition().action())
        .as("a reboot is already more than the reset that did not help")
        .isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void aWordThatTheDriverChangesHoursLaterIsOfTheFaultThatIsStillThere() {
    xid(GPU_3, 48).xid(GPU_3, 154, "to 4", OptionalLong.empty());
    later(Duration.ofHours(2)).xid(GPU_3, 154, "to 1", OptionalLong.empty());

    assertThat(only().rule()).isEqualTo("xid_48");
    assertThat(only().disposition()).isEqualTo(Disposition.failing(Action.RESET_GPU, Urgency.NOW));
  }

  @Test
  void twoWeeksLaterItIsANewFault() {
    xid(GPU_3, 119).later(Duration.ofMinutes(5)).reset(GPU_3);
    later(Duration.ofDays(14)).xid(GPU_3, 119);

    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);
  }

  @Test
  void moreOfTheSameBeforeTheResetIsNoReturn() {
    xid(GPU_3, 119).later(Duration.ofHours(2)).xid(GPU_3, 119);

    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);
    assertThat(only().times()).isEqualTo(2);
  }

  @Test
  void theExitOfTheApplicationClosesARequiredRestart() {
    xid(GPU_3, 94, "Contained: LTC. RST: No, D-RST: No", OptionalLong.of(77));
    assertThat(detections()).hasSize(1);

    events.add(new Event.ApplicationEnded(now, GPU_3, OptionalLong.of(78)));
    assertThat(detections()).hasSize(1);

    events.add(new Event.ApplicationEnded(now, GPU_3, OptionalLong.of(77)));
    assertThat(detections()).isEmpty();
  }

  @Test
  void theExitOfOneMigInstancesApplicationLeavesTheRestartOfAnothers() {
    String contained = "Contained: LTC. RST: No, D-RST: No";
    xid(GPU_3, OptionalInt.of(7), 94, contained, OptionalLong.of(77));
    xid(GPU_3, OptionalInt.of(9), 94, contained, OptionalLong.of(99));

    events.add(new Event.ApplicationEnded(now, GPU_3, OptionalLong.of(77)));
    assertThat(only().disposition().action()).isEqualTo(Action.RESTART_APP);

    events.add(new Event.ApplicationEnded(now, GPU_3, OptionalLong.of(99)));
    assertThat(detections()).isEmpty();
  }

  @Test
  void aProgramWithoutAPidOnAnotherMigInstanceKeepsTheRestartUntilTheGpuIsIdle() {
    String contained = "Contained: LTC. RST: No, D-RST: No";
    xid(GPU_3, OptionalInt.of(7), 94, contained, OptionalLong.of(77));
    xid(GPU_3, OptionalInt.of(9), 94, contained, OptionalLong.empty());

    events.add(new Event.ApplicationEnded(now, GPU_3, OptionalLong.of(77)));
    assertThat(only().disposition().action()).isEqualTo(Action.RESTART_APP);

    events.add(new Event.ApplicationEnded(now, GPU_3, OptionalLong.empty()));
    assertThat(detections()).isEmpty();
  }

  @Test
  void anApplicationsFaultIsShownForAnHour() {
    xid(GPU_3, 13).later(Duration.ofMinutes(59));
    assertThat(detections()).hasSize(1);

    later(Duration.ofMinutes(2));
    assertThat(detections()).isEmpty();
  }

  @Test
  void timeAloneNeverClosesARequiredReset() {
    xid(GPU_3, 119).later(Duration.ofDays(40));

    assertThat(detections()).hasSize(1);
  }

  @Test
  void anOperatorEndsIt() {
    xid(GPU_3, 79);
    events.add(new Event.OperatorCleared(now, "xid_79", "gpu:" + GPU_2, ""));
    assertThat(detections()).hasSize(1);

    events.add(new Event.OperatorCleared(now, "", "gpu:" + GPU_3, ""));
    assertThat(detections()).isEmpty();
  }

  @Test
  void aGpuOfUnknownNameIsCalledByItsAddress() {
    assertThat(xid("", 79).only().subject().text()).isEqualTo("gpu:0000:53:00");
  }

  private static final String NEEDS_RESET = "Contained: LTC TAG. RST: Yes, D-RST: No";

  @Test
  void anXidAfterAResetBelongsToNoXidBeforeIt() {
    xid(GPU_3, 48).later(Duration.ofSeconds(20)).reset(GPU_3);
    later(Duration.ofSeconds(40)).xid(GPU_3, 94, NEEDS_RESET, OptionalLong.empty());

    assertThat(only().rule()).isEqualTo("xid_94");
    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);
    assertThat(only().what()).doesNotContain("48");
  }

  @Test
  void anXidAfterAClearBelongsToNoXidBeforeIt() {
    xid(GPU_3, 48).xid(GPU_3, 94, NEEDS_RESET, OptionalLong.empty());
    later(Duration.ofSeconds(20));
    events.add(new Event.OperatorCleared(now, "", "", ""));
    assertThat(detections()).isEmpty();

    later(Duration.ofSeconds(20)).xid(GPU_3, 43).xid(GPU_3, 13);
    assertThat(only().rule()).isEqualTo("xid_13");
    assertThat(only().disposition().severity()).as("13 inherits nothing").isEqualTo(Severity.INFO);
    assertThat(only().what()).endsWith("; with XID 43");

    later(Duration.ofSeconds(20)).xid(GPU_3, 94, NEEDS_RESET, OptionalLong.empty());
    assertThat(detections()).extracting(Detection::rule).contains("xid_94");
  }

  @Test
  void aClearOfAnotherRuleSeparatesNothing() {
    xid(GPU_3, 48);
    events.add(new Event.OperatorCleared(now, "xid_79", "", ""));
    events.add(new Event.OperatorCleared(now, "xid_48", "gpu:" + GPU_2, ""));
    later(Duration.ofSeconds(20)).xid(GPU_3, 94, NEEDS_RESET, OptionalLong.empty());

    assertThat(only().rule()).isEqualTo("xid_48");
  }

  @Test
  void aContainedErrorThatReturnsIsAFailingGpuAlsoSecondsAfterAReset() {
    policy = number -> Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END);
    xid(GPU_3, 94).later(Duration.ofSeconds(40)).xid(GPU_3, 94);
    assertThat(only().disposition().severity()).as("one burst").isEqualTo(Severity.DEGRADED);

    later(Duration.ofSeconds(20)).reset(GPU_3);
    later(Duration.ofSeconds(20)).xid(GPU_3, 94);
    assertThat(only().disposition())
        .isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
  }

  @Test
  void aRecoveryActionAfterAnApplicationThatEndedIsAFindingOfItsOwn() {
    xid(GPU_3, 13, "", OptionalLong.of(78)).later(Duration.ofSeconds(5));
    events.add(new Event.ApplicationEnded(now, GPU_3, OptionalLong.of(78)));
    assertThat(detections()).isEmpty();

    later(Duration.ofSeconds(30)).xid(GPU_3, 154, "to 1", OptionalLong.empty());
    assertThat(only().rule()).isEqualTo("xid_154");
    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);

    later(Duration.ofSeconds(1)).xid(GPU_3, 45).xid(GPU_3, 43);
    assertThat(only().rule()).as("killed channels are no root cause").isEqualTo("xid_154");
    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);
  }

  @Test
  void aRecoveryActionBeforeItsCauseBelongsToThatAlthoughAnEarlierOneEnded() {
    xid(GPU_3, 13, "", OptionalLong.of(78)).later(Duration.ofSeconds(5));
    events.add(new Event.ApplicationEnded(now, GPU_3, OptionalLong.of(78)));
    later(Duration.ofSeconds(30)).xid(GPU_3, 154, "to 1", OptionalLong.empty()).xid(GPU_3, 119);

    assertThat(only().rule()).isEqualTo("xid_119");
  }

  @Test
  void aRecoveryActionIsNotThatOfAnXidMinutesLaterInALongBurst() {
    xid(GPU_3, 154, "to 1", OptionalLong.empty());
    later(Duration.ofSeconds(170)).xid(GPU_3, 45);
    later(Duration.ofSeconds(160)).xid(GPU_3, 13, "", OptionalLong.of(78));

    assertThat(detections())
        .filteredOn(one -> one.rule().equals("xid_154"))
        .extracting(one -> one.disposition().action())
        .containsExactly(Action.RESET_GPU);
  }

  @Test
  void afterAClearAContainedErrorIsAFirstOne() {
    policy = number -> Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END);
    xid(GPU_3, 94).later(Duration.ofHours(1));
    events.add(new Event.OperatorCleared(now, "xid_94", "gpu:" + GPU_3, ""));
    later(Duration.ofHours(1)).xid(GPU_3, 94);

    assertThat(only().disposition().severity()).isEqualTo(Severity.DEGRADED);
  }

  @Test
  void theDriversDemandIsAMinimumOfTheUrgencyToo() {
    policy =
        number ->
            number == 94
                ? Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END)
                : policy(number);
    xid(GPU_3, 94).xid(GPU_3, 154, "to 1", OptionalLong.empty());

    assertThat(only().disposition())
        .isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
  }

  @Test
  void aRecoveryActionThatTheDriverWithdrawsIsGoneFromItsCauseToo() {
    xid(GPU_3, 31, "", OptionalLong.of(5)).xid(GPU_3, 154, "to 1", OptionalLong.empty());
    assertThat(only().disposition().action()).isEqualTo(Action.RESET_GPU);

    later(Duration.ofMinutes(1)).xid(GPU_3, 154, "to 0", OptionalLong.empty());
    assertThat(only().rule()).isEqualTo("xid_31");
    assertThat(only().disposition()).isEqualTo(policy(31));
  }

  @Test
  void aWithdrawalAfterTheResetLeavesTheNextOneARecurrence() {
    xid(GPU_3, 154, "to 1", OptionalLong.empty()).later(Duration.ofMinutes(1)).reset(GPU_3);
    later(Duration.ofSeconds(1)).xid(GPU_3, 154, "to 0", OptionalLong.empty());
    later(Duration.ofHours(1)).xid(GPU_3, 154, "to 1", OptionalLong.empty());

    assertThat(only().disposition().action()).isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void anApplicationsFaultAfterAResetThatItsLastOneNeededIsNoRecurrence() {
    xid(GPU_3, 13, "", OptionalLong.of(5)).xid(GPU_3, 154, "to 1", OptionalLong.empty());
    later(Duration.ofMinutes(1)).reset(GPU_3);
    later(Duration.ofMinutes(9)).xid(GPU_3, 13, "", OptionalLong.of(6));
    assertThat(only().disposition()).isEqualTo(policy(13));

    xid(GPU_3, 154, "to 1", OptionalLong.empty());
    assertThat(only().disposition().action()).as("this is one").isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void aWithdrawalJustBeforeTheResetIsSeenLeavesTheNextOneARecurrence() {
    for (int first : List.of(154, 31)) {
      events.clear();
      xid(GPU_3, first, "to 1", OptionalLong.of(5)).xid(GPU_3, 154, "to 1", OptionalLong.empty());
      later(Duration.ofMinutes(9)).xid(GPU_3, 154, "to 0", OptionalLong.empty());
      later(Duration.ofSeconds(15)).reset(GPU_3);
      later(Duration.ofHours(1)).xid(GPU_3, first, "to 1", OptionalLong.of(6));
      xid(GPU_3, 154, "to 1", OptionalLong.empty());

      assertThat(detections().get(0).disposition().action())
          .as("%d", first)
          .isEqualTo(Action.REBOOT_NODE);
    }
  }

  @Test
  void theEndOfAnApplicationForgetsNoReset() {
    xid(GPU_3, 13, "", OptionalLong.of(5)).xid(GPU_3, 154, "to 1", OptionalLong.empty());
    later(Duration.ofMinutes(1)).reset(GPU_3);
    later(Duration.ofMinutes(9)).xid(GPU_3, 13, "", OptionalLong.of(6));
    assertThat(only().why()).doesNotContain("came back");
    events.add(new Event.ApplicationEnded(now, GPU_3, OptionalLong.of(6)));
    assertThat(detections()).isEmpty();

    later(Duration.ofMinutes(11)).xid(GPU_3, 13, "", OptionalLong.of(7));
    xid(GPU_3, 154, "to 1", OptionalLong.empty());
    assertThat(only().disposition().action()).isEqualTo(Action.REBOOT_NODE);
    assertThat(only().why()).contains("came back");
  }

  @Test
  void aRecoveryActionIsNotThatOfAnApplicationMinutesBeforeIt() {
    xid(GPU_3, 31, "", OptionalLong.of(5));
    later(Duration.ofSeconds(170)).xid(GPU_3, 45).later(Duration.ofSeconds(170)).xid(GPU_3, 45);
    later(Duration.ofSeconds(140)).xid(GPU_3, 154, "to 1", OptionalLong.empty());

    assertThat(detections()).extracting(Detection::rule).contains("xid_154", "xid_31");
  }
}
