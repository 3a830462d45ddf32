package io.lapwing.agent.health.rules.lustre;

import static io.lapwing.agent.health.rules.lustre.LustreClients.NOW;
import static io.lapwing.agent.health.rules.lustre.LustreClients.OST;
import static io.lapwing.agent.health.rules.lustre.LustreClients.none;
import static io.lapwing.agent.health.rules.lustre.LustreClients.well;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import io.lapwing.metric.MetricType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LustreRulesTest {

  private static final List<Metric> FAMILIES =
      MetricCatalogue.of(LustreMetrics.class).metrics().stream()
          .filter(metric -> metric.type() != MetricType.HISTOGRAM)
          .toList();

  private static LustreClients disconnected(LustreClients node, String target, String state) {
    return node.value(target, LustreMetrics.CONNECTED, 0)
        .without(target, LustreMetrics.STATE)
        .value(target, LustreMetrics.STATE, 1, state);
  }

  /** Of the last minute. */
  private static LustreClients slow(double wait, double requests) {
    return well()
        .value(OST, LustreMetrics.RPC_WAIT, 1_000 + wait)
        .value(OST, LustreMetrics.RPCS, 1_000_000 + requests)
        .grew(OST, LustreMetrics.RPC_WAIT, wait)
        .grew(OST, LustreMetrics.RPCS, requests);
  }

  @Test
  void aHealthyClientHasNoDetections() {
    assertThat(well().detections()).isEmpty();
    assertThat(none().detections()).isEmpty();
  }

  @Test
  void aTargetThatIsAwayForHalfAMinuteIsFound() {
    Detection detection = disconnected(well(), OST, "connecting").one();

    assertThat(detection.rule()).isEqualTo("lustre_disconnected");
    assertThat(detection.subject()).isEqualTo(new Subject.Part("lustre", OST));
    assertThat(detection.what()).isEqualTo("is not connected (connecting)");
    assertThat(detection.disposition()).isEqualTo(Disposition.EXTERNAL);
    assertThat(new TargetDisconnected().spec().openAfter()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void manyTargetsOfAFileSystemAreOneFinding() {
    LustreClients node = well();
    for (int ost = 1; ost <= 8; ost++) {
      node.target("scratch-OST000" + ost);
      disconnected(node, "scratch-OST000" + ost, "disconn");
    }
    assertThat(node.detections()).hasSize(8);
    disconnected(node, OST, "disconn");
    disconnected(node.target("home-OST0000"), "home-OST0000", "disconn");

    List<Detection> found = node.detections();
    assertThat(found).hasSize(2);
    assertThat(found.get(0).subject()).isEqualTo(new Subject.Part("lustre", "home-OST0000"));
    assertThat(found.get(1).subject()).isEqualTo(new Subject.Part("lustre", "scratch"));
    assertThat(found.get(1).what())
        .isEqualTo("9 targets, such as scratch-OST0000: is not connected (disconn)");
    assertThat(found.get(1).times()).isEqualTo(9);
  }

  @Test
  void anEvictionIsReportedForTenMinutesEvenAfterARestart() {
    double second = NOW.minusSeconds(599).getEpochSecond();
    Detection detection =
        well()
            .value(OST, LustreMetrics.EVICTIONS, 1)
            .value(OST, LustreMetrics.LAST_EVICTION, second)
            .one();

    assertThat(detection.rule()).isEqualTo("lustre_evicted");
    assertThat(detection.what())
        .isEqualTo(
            "has evicted this client: open reads and writes failed with EIO, data not yet written is lost");
    assertThat(detection.last()).contains(Instant.ofEpochSecond((long) second));
    assertThat(well().value(OST, LustreMetrics.LAST_EVICTION, second - 1).detections()).isEmpty();
  }

  @Test
  void evictionsOfTheLastMinutesAreCounted() {
    Detection detection =
        well()
            .value(OST, LustreMetrics.LAST_EVICTION, (double) NOW.plusSeconds(5).getEpochSecond())
            .grew(OST, LustreMetrics.EVICTIONS, 3)
            .one();
    assertThat(detection.what()).startsWith("has evicted this client 3 times in the last 10 min: ");
    assertThat(detection.times()).isEqualTo(3);
    assertThat(detection.last()).as("the clocks differ").contains(NOW);
  }

  @Test
  void afterAnLbugTheNodeIsToBeRebooted() {
    Detection lbug =
        well().value("", LustreMetrics.HEALTHY, 0).value("", LustreMetrics.LBUG, 1).one();
    assertThat(lbug.disposition()).isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW));
    assertThat(lbug.subject()).isEqualTo(Subject.NODE);
    Detection unhealthy = well().value("", LustreMetrics.HEALTHY, 0).one();
    assertThat(unhealthy.disposition()).isEqualTo(Disposition.WATCH);
    assertThat(unhealthy.what()).isEqualTo("the Lustre client reports that it is not healthy");
  }

  @Test
  void whatASiteSetsForAnLbugIsACeilingForTheRest() {
    LustreClients node = well().value("", LustreMetrics.HEALTHY, 0);
    TargetUnhealthy rule = new TargetUnhealthy();
    assertThat(
            rule.evaluate(
                node.view(rule), new RulePolicy(rule.spec(), true, Disposition.info(), Map.of())))
        .extracting(Detection::disposition)
        .containsExactly(Disposition.info());
  }

  @Test
  void aTargetIsSlowAgainstWhatIsUsualForIt() {
    Detection detection = slow(600, 3_000).one();
    assertThat(detection.rule()).isEqualTo("lustre_slow");
    assertThat(detection.what()).isEqualTo("takes 200 ms to answer, 1.0 ms is usual");
    assertThat(slow(30, 3_000).detections())
        .as("10 ms is soon enough, whatever is usual")
        .isEmpty();
    assertThat(slow(12, 49).detections()).as("too few requests").isEmpty();
    assertThat(slow(600, 3_000).value(OST, LustreMetrics.RPC_WAIT, 50_600).detections())
        .as("50 ms were usual")
        .isEmpty();
    assertThat(slow(600, 3_000).value(OST, LustreMetrics.RPCS, 3_999).detections())
        .as("nobody knows what is usual")
        .isEmpty();
  }

  @Test
  void aTargetWithoutWaitsIsNotSlow() {
    assertThat(slow(600, 3_000).not(OST, LustreMetrics.RPC_WAIT).detections()).isEmpty();
    assertThat(slow(600, 3_000).not(OST, LustreMetrics.RPCS).detections()).isEmpty();
    assertThat(slow(0, 0).detections()).isEmpty();
  }

  @Test
  void requestsThatFillTheirLimitWhileTheyWaitAreWorthKnowing() {
    Detection detection = slow(9, 3_000).value(OST, LustreMetrics.IN_FLIGHT, 8).one();
    assertThat(detection.rule()).isEqualTo("lustre_rpcs_full");
    assertThat(detection.disposition()).isEqualTo(Disposition.info());
    assertThat(detection.what())
        .isEqualTo("8 of 8 requests are in flight and wait 3.0 ms; 1.0 ms is usual");
    assertThat(well().value(OST, LustreMetrics.IN_FLIGHT, 8).detections())
        .as("fast as ever")
        .isEmpty();
  }

  @Test
  void noGrantLeftAndNoneInUseIsExhausted() {
    LustreClients node =
        well().value(OST, LustreMetrics.GRANT, 4_096).value(OST, LustreMetrics.LOST_GRANT, 655_360);
    assertThat(node.detections()).as("in use").isEmpty();
    node.value(OST, LustreMetrics.DIRTY, 0);
    assertThat(node.one().what()).isEqualTo("grants only 4096 bytes of space, 655360 are lost");
    assertThat(node.grew(OST, LustreMetrics.RPCS, 24).detections()).as("pings alone").isEmpty();
    node.grew(OST, LustreMetrics.RPCS, 6_000);
    assertThat(
            node.without(OST, LustreMetrics.STATE)
                .value(OST, LustreMetrics.STATE, 1, "idle")
                .detections())
        .as("an idle client has given it back")
        .isEmpty();
  }

  @Test
  void requestsThatWereNotAnsweredInTimeAreFound() {
    assertThat(well().grew(OST, LustreMetrics.RPC_TIMEOUTS, 1).one().what())
        .isEqualTo("did not answer 1 request in time in the last 10 min");
    assertThat(well().grew(OST, LustreMetrics.RPC_TIMEOUTS, 7).one().what())
        .isEqualTo("did not answer 7 requests in time in the last 10 min");
  }

  @Test
  void whatHangsIsNotCalledHealthy() {
    Detection target = well().state(OST, PartStatus.State.HUNG).one();
    assertThat(target.rule()).isEqualTo("lustre_blind");
    assertThat(target.disposition()).isEqualTo(Disposition.unknown());
    assertThat(target.what()).isEqualTo("cannot be read: a read has not come back for 40 s");
    LustreClients all = well().state("scratch", PartStatus.State.HUNG);
    for (int ost = 1; ost <= 9; ost++) {
      all.state("scratch-OST000" + ost, PartStatus.State.HUNG);
    }
    assertThat(all.detections())
        .extracting(Detection::what)
        .containsExactly(
            "cannot be read: a read has not come back for 40 s",
            "9 targets, such as scratch-OST0001: cannot be read: a read has not come back for 40 s");
    Detection client = well().state("", PartStatus.State.DOWN).one();
    assertThat(client.subject()).isEqualTo(Subject.NODE);
    assertThat(client.what()).startsWith("the Lustre client cannot be read: ");
  }

  @Test
  void countersForRootAloneLeaveTheVerdictAsItIsWhereStatesAreSeen() {
    LustreClients node = well().value("", LustreMetrics.DEBUGFS_READABLE, 0);
    assertThat(node.one().disposition()).isEqualTo(Disposition.info());
    assertThat(node.one().what()).contains("CAP_DAC_READ_SEARCH");
    node.not(OST, LustreMetrics.CONNECTED).not("scratch-MDT0000", LustreMetrics.CONNECTED);
    assertThat(node.one().disposition()).isEqualTo(Disposition.unknown());
  }

  @Test
  void aFindingOnATargetStaysWhileItCannotBeReadAndClosesWithTheTarget() {
    TargetDisconnected rule = new TargetDisconnected();
    Subject ost = new Subject.Part("lustre", OST);
    assertThat(rule.canEvaluate(ost, well().view(rule))).isTrue();
    assertThat(rule.canEvaluate(ost, well().state(OST, PartStatus.State.HUNG).view(rule)))
        .isFalse();
    assertThat(rule.canEvaluate(ost, none().view(rule))).isTrue();
  }

  @Test
  void anAssertionThatFailedStaysWhileTheClientCannotBeRead() {
    TargetUnhealthy rule = new TargetUnhealthy();
    assertThat(rule.canEvaluate(Subject.NODE, well().view(rule))).isTrue();
    assertThat(rule.canEvaluate(Subject.NODE, well().state("", PartStatus.State.HUNG).view(rule)))
        .isFalse();
    assertThat(rule.canEvaluate(Subject.NODE, well().not("", LustreMetrics.HEALTHY).view(rule)))
        .isFalse();
    assertThat(rule.canEvaluate(Subject.NODE, none().view(rule))).as("unloaded").isTrue();
  }

  @Test
  void eachSpecIsComplete() {
    for (HealthRule rule : TargetRule.all()) {
      RuleSpec spec = rule.spec();
      assertThat(rule.kind()).isEqualTo("lustre");
      assertThat(spec.name()).startsWith("lustre_");
      assertThat(List.of(spec.about(), spec.why())).allMatch(text -> text.matches("[A-Z].*\\."));
      assertThat(spec.thresholds())
          .allMatch(one -> one.least() <= one.preset() && one.preset() <= one.most())
          .allMatch(one -> one.about().matches("[A-Z].*\\."));
      assertThat(rule.spec().trends())
          .extracting(Metric::type)
          .allMatch(MetricType.COUNTER::equals);
    }
    assertThat(TargetRule.all()).extracting(rule -> rule.spec().name()).doesNotHaveDuplicates();
  }

  @Property(tries = 300)
  void anyValuesOfAClientAreEvaluatedAndGiveValidTexts(@ForAll long seed) {
    Random random = new Random(seed);
    LustreClients node = well();
    for (Metric family : FAMILIES) {
      for (String part : List.of("", OST)) {
        double value = Math.rint(Math.scalb(random.nextDouble(), random.nextInt(64)));
        if (random.nextInt(4) == 0) {
          node.not(part, family);
        } else {
          node.value(part, family, value).grew(part, family, value * random.nextDouble());
        }
      }
    }
    assertThat(node.detections())
        .allSatisfy(
            detection -> {
              assertThat(detection.what()).doesNotContain("NaN", "null", "E9", "Infinity", "  ");
              assertThat(detection.what()).doesNotEndWith(".");
            });
  }

  @Property(tries = 200)
  void missingValuesAreNoFault(@ForAll long seed) {
    Random random = new Random(seed);
    LustreClients node = well();
    for (Metric family : FAMILIES) {
      if (random.nextInt(3) == 0) {
        node.not(OST, family).not("", family);
      }
    }
    assertThat(node.detections())
        .noneMatch(detection -> detection.disposition().severity().compareTo(Severity.INFO) > 0);
  }
}
