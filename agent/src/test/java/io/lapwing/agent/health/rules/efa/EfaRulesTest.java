package io.lapwing.agent.health.rules.efa;

import static io.lapwing.agent.health.rules.efa.EfaNode.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import io.lapwing.metric.MetricType;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class EfaRulesTest {

  private static final Disposition WATCH = Disposition.degraded(Action.WATCH, Urgency.JOB_END);

  private final HealthRule count = rule("efa_count");
  private final HealthRule blind = rule("efa_blind");
  private final HealthRule commands = rule("efa_admin_commands");
  private final HealthRule keepAlive = rule("efa_keep_alive");
  private final HealthRule retransmits = rule("efa_retransmits");
  private final HealthRule timeouts = rule("efa_timeouts");
  private final HealthRule unresponsive = rule("efa_unresponsive_peer");
  private final HealthRule impaired = rule("efa_impaired_peer");
  private final HealthRule reads = rule("efa_read_errors");
  private final HealthRule writes = rule("efa_write_errors");
  private final HealthRule rail = rule("efa_rail_slow");

  private static HealthRule rule(String name) {
    return EfaRule.all().stream()
        .filter(rule -> rule.spec().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static EfaNode healthy() {
    return EfaNode.of(32);
  }

  private static Subject device(int index) {
    return new Subject.Part("efa", name(index));
  }

  @Test
  void aHealthyNodeHasNoDetections() {
    for (HealthRule rule : EfaRule.all()) {
      assertThat(healthy().detections(rule)).as(rule.spec().name()).isEmpty();
      assertThat(EfaNode.of(1).detections(rule)).as(rule.spec().name()).isEmpty();
    }
  }

  @Test
  void eachSpecIsComplete() {
    assertThat(EfaRule.all()).extracting(rule -> rule.spec().name()).doesNotHaveDuplicates();
    for (HealthRule rule : EfaRule.all()) {
      RuleSpec spec = rule.spec();
      assertThat(rule.kind()).isEqualTo("efa");
      assertThat(spec.name()).matches("efa(_[a-z]+)+");
      assertThat(List.of(spec.about(), spec.why())).allMatch(EfaRulesTest::isSentence);
      assertThat(spec.document()).isNotBlank();
      assertThat(spec.thresholds())
          .allMatch(
              threshold ->
                  threshold.least() <= threshold.preset()
                      && threshold.preset() <= threshold.most()
                      && isSentence(threshold.about()));
      assertThat(rule.spec().trends()).allMatch(metric -> metric.type() == MetricType.COUNTER);
    }
  }

  private static boolean isSentence(String text) {
    return text.matches("[A-Z].*[^ ]\\.");
  }

  @Test
  void aDeviceThatTheConfigurationExpectsIsMissing() {
    Detection detection = healthy().present(31).one(count);
    assertThat(detection.what()).isEqualTo("there are 31 of the 32 EFA devices expected");
    assertThat(detection.subject()).isEqualTo(Subject.NODE);
    assertThat(detection.disposition())
        .isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW));
  }

  @Test
  void fewerThanTheInstanceTypeCanHaveIsNoFault() {
    EfaNode half = EfaNode.of(16).expected(OptionalInt.empty()).onPci(16).counted(16);
    assertThat(half.one(count).disposition()).isEqualTo(Disposition.info());
    assertThat(EfaNode.of(0).expected(OptionalInt.empty()).onPci(0).detections(count))
        .allMatch(detection -> detection.disposition().equals(Disposition.info()));
  }

  @Test
  void aDeviceOfThePciBusThatTheNetworkClassLacksIsAFailure() {
    Detection detection = EfaNode.of(31).expected(OptionalInt.empty()).onPci(32).one(count);
    assertThat(detection.what()).isEqualTo("there are 31 of the 32 EFA devices on the PCI bus");
    assertThat(detection.disposition())
        .isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW));
  }

  @Test
  void aDeviceThatWasThereBeforeTheAgentWasStartedAgainIsMissed() {
    EfaNode lost = EfaNode.of(31).expected(OptionalInt.empty()).onPci(31).counted(32).counted(31);
    assertThat(lost.one(count).what())
        .isEqualTo("there are 31 of the 32 EFA devices that were there");
    assertThat(lost.one(count).disposition())
        .isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW));
  }

  @Test
  void aClearLeavesThePresentNumber() {
    EfaNode node = EfaNode.of(31).expected(OptionalInt.empty()).onPci(31).counted(32).cleared();
    assertThat(node.counted(31).one(count).what())
        .isEqualTo("there are 31 of the 32 EFA devices that were there");
    assertThat(node.cleared().detections(count))
        .allMatch(detection -> detection.disposition().equals(Disposition.info()));
  }

  @Test
  void devicesThatAreNotCountedAreNotMissing() {
    EfaNode node = healthy().counted(32).uncounted();
    assertThat(node.detections(count)).isEmpty();
    assertThat(count.canEvaluate(Subject.NODE, node.view())).isFalse();
  }

  @Test
  void aDeviceThatWentIsNamed() {
    assertThat(healthy().lost("rdmap80s0").one(count).what())
        .isEqualTo("there are 31 of the 32 EFA devices that were there (rdmap80s0 gone)");
    assertThat(healthy().lost("rdmap80s0").expected(OptionalInt.empty()).one(count).what())
        .as("on a node of which nobody knows how many it should have")
        .isEqualTo("there are 31 of the 32 EFA devices that were there (rdmap80s0 gone)");
    assertThat(healthy().lost("rdmap80s0").expected(OptionalInt.of(31)).detections(count))
        .as("it failed, however many the configuration wants")
        .hasSize(1);
  }

  @Test
  void whereNoneWasEverSeenTheyMayNotHaveBeenAttached() {
    Detection detection = healthy().whole(PartStatus.State.NOTHING_HERE).one(count);
    assertThat(detection.what()).isEqualTo("none of 32 EFA devices is present");
    assertThat(detection.disposition()).isEqualTo(WATCH);
    assertThat(
            healthy()
                .whole(PartStatus.State.NOTHING_HERE)
                .expected(OptionalInt.of(0))
                .detections(count))
        .isEmpty();
    assertThat(
            healthy()
                .whole(PartStatus.State.NOTHING_HERE)
                .expected(OptionalInt.empty())
                .one(count)
                .disposition())
        .as("only the instance type could have some")
        .isEqualTo(Disposition.info());
  }

  @Test
  void moreThanExpectedIsAMistakeOfTheExpectation() {
    Detection detection = healthy().expected(OptionalInt.of(8)).one(count);
    assertThat(detection.what()).isEqualTo("there are 32 EFA devices, 8 expected");
    assertThat(detection.disposition()).isEqualTo(Disposition.info());
  }

  @Test
  void whatCannotBeCountedIsNeitherMissingNorThereAgain() {
    EfaNode hung = healthy().whole(PartStatus.State.HUNG);
    assertThat(hung.detections(count)).isEmpty();
    assertThat(count.canEvaluate(Subject.NODE, hung.view())).isFalse();
    assertThat(count.canEvaluate(Subject.NODE, healthy().view())).isTrue();
    assertThat(
            count.canEvaluate(Subject.NODE, healthy().whole(PartStatus.State.NOTHING_HERE).view()))
        .isTrue();
  }

  @Test
  void aDeviceThatHangsIsNotCalledHealthy() {
    Detection hung = healthy().state(3, PartStatus.State.HUNG).one(blind);
    assertThat(hung.what()).isEqualTo("cannot be read: it does not answer");
    assertThat(hung.subject()).isEqualTo(device(3));
    assertThat(hung.disposition()).isEqualTo(Disposition.unknown());
    assertThat(healthy().state(3, PartStatus.State.DOWN).detections(blind)).hasSize(1);
    assertThat(healthy().whole(PartStatus.State.DOWN).one(blind).subject()).isEqualTo(Subject.NODE);
    assertThat(healthy().whole(PartStatus.State.NOTHING_HERE).detections(blind)).isEmpty();
  }

  @Test
  void aDeviceWithoutTheCountersThatItsSiblingsHaveIsNotCalledHealthy() {
    Detection detection = healthy().without(3, EfaMetrics.TX_BYTES).one(blind);
    assertThat(detection.what()).isEqualTo("is present, but its traffic counters cannot be read");
    assertThat(detection.disposition()).isEqualTo(Disposition.unknown());
  }

  @Test
  void whereNoDeviceHasCountersTheDriverDoesNotFitTheHardware() {
    EfaNode node = EfaNode.of(2).without(0, EfaMetrics.TX_BYTES).without(1, EfaMetrics.TX_BYTES);
    assertThat(node.detections(blind))
        .hasSize(2)
        .allMatch(one -> one.disposition().equals(Disposition.info()));
  }

  @Test
  void anAdminCommandWithoutCompletionIsAFailure() {
    Detection detection =
        healthy().grew(3, EfaMetrics.COMMANDS_WITHOUT_COMPLETION, 1).one(commands);
    assertThat(detection.what()).isEqualTo("did not complete 1 admin command in the last 10 min");
    assertThat(detection.subject()).isEqualTo(device(3));
    assertThat(detection.disposition())
        .isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.JOB_END));
  }

  @Test
  void aDeviceThatCompletesNothingSinceThenIsStillFailed() {
    EfaNode before = healthy().value(3, EfaMetrics.COMMANDS_WITHOUT_COMPLETION, 2);
    assertThat(before.detections(commands)).as("it went on").isEmpty();
    assertThat(before.grew(3, EfaMetrics.COMPLETED_COMMANDS, 0).one(commands).what())
        .isEqualTo("completes no admin commands since it left 2 without completion");
  }

  @Test
  void signsOfLifeThatStopWhileThoseOfTheSiblingsGoOn() {
    Detection detection = healthy().grew(3, EfaMetrics.KEEP_ALIVES, 0).one(keepAlive);
    assertThat(detection.what()).isEqualTo("sent no keep-alive in the last 60 s");
    assertThat(detection.subject()).isEqualTo(device(3));
    assertThat(detection.agedBy(Duration.ofMinutes(59)).disposition()).isEqualTo(WATCH);
    assertThat(detection.agedBy(Duration.ofHours(1)).disposition())
        .isEqualTo(Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END));
  }

  @Test
  void aDeviceAloneIsMeasuredByItsOwnMeanSinceBoot() {
    EfaNode alone = EfaNode.of(1).grew(0, EfaMetrics.KEEP_ALIVES, 0);
    assertThat(alone.detections(keepAlive)).as("their period is unknown").isEmpty();
    assertThat(alone.booted(Duration.ofSeconds(100_000)).detections(keepAlive)).hasSize(1);
    assertThat(
            EfaNode.of(1)
                .grew(0, EfaMetrics.KEEP_ALIVES, 0)
                .booted(Duration.ofDays(30))
                .detections(keepAlive))
        .as("one in 26 seconds, so two in a minute: none may be chance")
        .isEmpty();
  }

  @Test
  void devicesThatNeverSentASignOfLifeAreNotMissed() {
    EfaNode node = healthy().booted(Duration.ofDays(1));
    IntStream.range(0, 32)
        .forEach(i -> node.grew(i, EfaMetrics.KEEP_ALIVES, 0).value(i, EfaMetrics.KEEP_ALIVES, 0));
    assertThat(node.detections(keepAlive)).isEmpty();
  }

  @Test
  void theShareOfRetransmittedPacketsIsReportedWithItsFigures() {
    Detection detection =
        healthy().grew(3, EfaMetrics.RETRANSMITTED_PACKETS, 168_000).one(retransmits);
    assertThat(detection.what())
        .isEqualTo("sent 0.42 % of its packets again in the last 5 min (168000 of 40000000)");
    assertThat(detection.subject()).isEqualTo(device(3));
    assertThat(detection.disposition()).isEqualTo(WATCH);

    Detection severe = healthy().grew(3, EfaMetrics.RETRANSMITTED_PACKETS, 4e6).one(retransmits);
    assertThat(severe.what()).startsWith("sent 10.0 % of its packets again");
    assertThat(severe.disposition()).isEqualTo(Disposition.degraded(Action.WATCH, Urgency.NOW));
  }

  @Test
  void fewPacketsMakeNoShare() {
    EfaNode idle =
        healthy()
            .grew(3, EfaMetrics.TX_PACKETS, 99_999)
            .grew(3, EfaMetrics.RETRANSMITTED_PACKETS, 5_000);
    assertThat(idle.detections(retransmits)).isEmpty();
    assertThat(healthy().grew(3, EfaMetrics.RETRANSMITTED_PACKETS, 39_000).detections(retransmits))
        .isEmpty();
  }

  @Test
  void anOldDriverHasNoRetransmitCounters() {
    assertThat(healthy().unknown(3, EfaMetrics.RETRANSMITTED_PACKETS).detections(retransmits))
        .isEmpty();
  }

  private static EfaNode onDevices(int devices, Metric counter, double by) {
    EfaNode node = healthy();
    IntStream.range(0, devices).forEach(i -> node.grew(i, counter, by));
    return node;
  }

  @Test
  void timeoutsOnMoreThanAQuarterOfTheDevicesCount() {
    Detection many = onDevices(9, EfaMetrics.RETRANSMIT_TIMEOUTS, 2).one(timeouts);
    assertThat(many.what()).isEqualTo("18 timeouts on 9 of 32 EFA devices in the last 5 min");
    assertThat(many.subject()).isEqualTo(Subject.NODE);
    assertThat(many.disposition()).isEqualTo(WATCH);

    Detection few = onDevices(2, EfaMetrics.RETRANSMIT_TIMEOUTS, 1).one(timeouts);
    assertThat(few.what())
        .isEqualTo("2 timeouts on 2 of 32 EFA devices (rdmap16s0 and rdmap17s0) in the last 5 min");
    assertThat(few.disposition()).isEqualTo(Disposition.info());
  }

  @Test
  void peersOfTwoDevicesAreWatchedAndOfOneAnInfo() {
    assertThat(onDevices(1, EfaMetrics.UNRESPONSIVE_PEERS, 1).one(unresponsive).what())
        .isEqualTo(
            "1 unresponsive-peer event on 1 of 32 EFA devices (rdmap16s0) in the last 5 min");
    assertThat(onDevices(1, EfaMetrics.UNRESPONSIVE_PEERS, 1).one(unresponsive).disposition())
        .isEqualTo(Disposition.info());
    assertThat(onDevices(2, EfaMetrics.UNRESPONSIVE_PEERS, 1).one(unresponsive).disposition())
        .isEqualTo(Disposition.EXTERNAL);
    assertThat(onDevices(1, EfaMetrics.IMPAIRED_PEERS, 3).one(impaired).disposition())
        .isEqualTo(Disposition.info());
    assertThat(onDevices(2, EfaMetrics.IMPAIRED_PEERS, 3).one(impaired).disposition())
        .isEqualTo(Disposition.EXTERNAL);
  }

  @Test
  void eventsStayWhileNoDeviceAnswers() {
    EfaNode none = EfaNode.of(1).state(0, PartStatus.State.HUNG);
    assertThat(timeouts.canEvaluate(Subject.NODE, none.view())).isFalse();
    assertThat(timeouts.canEvaluate(Subject.NODE, healthy().view())).isTrue();
    assertThat(timeouts.canEvaluate(Subject.NODE, EfaNode.of(0).view())).isTrue();
  }

  @Test
  void requestsWithErrorsAreCountedForTheirDevice() {
    Detection detection = healthy().grew(3, EfaMetrics.RDMA_WRITE_ERRORS, 2).one(writes);
    assertThat(detection.what()).isEqualTo("2 RDMA writes ended with an error in the last 5 min");
    assertThat(detection.subject()).isEqualTo(device(3));
    assertThat(detection.disposition()).isEqualTo(Disposition.EXTERNAL);
    assertThat(healthy().grew(3, EfaMetrics.RDMA_READ_ERRORS, 1).one(reads).what())
        .isEqualTo("1 RDMA read ended with an error in the last 5 min");
  }

  @Test
  void oneRailFarBelowItsSiblingsIsSlow() {
    Detection detection = healthy().grew(3, EfaMetrics.TX_BYTES, 9e10).one(rail);
    assertThat(detection.what())
        .isEqualTo("sent 30 % of what the median device of the node sent in the last 5 min");
    assertThat(detection.subject()).isEqualTo(device(3));
    assertThat(detection.disposition()).isEqualTo(WATCH);
    assertThat(healthy().grew(3, EfaMetrics.TX_BYTES, 1.6e11).detections(rail)).isEmpty();
  }

  @Test
  void aRailThatSendsNothingMayNotBeUsed() {
    Detection detection = healthy().grew(3, EfaMetrics.TX_BYTES, 0).one(rail);
    assertThat(detection.what())
        .isEqualTo(
            "sent nothing in the last 5 min, while the median device of the node sent 1000 MB a second");
    assertThat(detection.disposition()).isEqualTo(Disposition.info());
  }

  @Test
  void aJobThatUsesSomeOfTheDevicesHasNoSlowRails() {
    assertThat(onDevices(9, EfaMetrics.TX_BYTES, 1e9).detections(rail)).isEmpty();
    assertThat(onDevices(8, EfaMetrics.TX_BYTES, 1e9).detections(rail)).hasSize(8);
  }

  @Test
  void aNodeThatIsNotBusyOrHasTwoDevicesHasNoSlowRail() {
    assertThat(
            onDevices(32, EfaMetrics.TX_BYTES, 2e10)
                .grew(3, EfaMetrics.TX_BYTES, 1)
                .detections(rail))
        .isEmpty();
    assertThat(EfaNode.of(2).grew(0, EfaMetrics.TX_BYTES, 1).detections(rail)).isEmpty();
  }

  @Property(tries = 200)
  void anyValuesOfTheDevicesAreEvaluatedAndGiveValidTexts(@ForAll long seed) {
    Random random = new Random(seed);
    EfaNode node = EfaNode.of(1 + random.nextInt(8));
    double[] values = {0, 1, 2, 999, 123_456, 3e9, 1.8446744073709552e19};
    List<Metric> families = MetricCatalogue.of(EfaMetrics.class).metrics();
    for (int device = 0; device < 8; device++) {
      for (Metric family : families) {
        node.grew(device, family, values[random.nextInt(values.length)]);
        node.value(device, family, values[random.nextInt(values.length)]);
      }
    }
    for (HealthRule rule : EfaRule.all()) {
      assertThat(node.detections(rule))
          .allSatisfy(
              detection -> {
                assertThat(detection.what()).doesNotContain("NaN", "null", "Infinity", "E9", "  ");
                assertThat(detection.what()).doesNotEndWith(".");
                assertThat(detection.why()).matches("[A-Z].*\\.");
              });
      assertThat(node.detections(rule, Disposition.info()))
          .as("a site's word is a ceiling")
          .allMatch(detection -> detection.disposition().severity() == Severity.INFO);
    }
  }
}
