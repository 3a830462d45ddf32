package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.web.HealthJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a scheduler's health check does with a node. */
class DrainAdviceTest {

  private static final Disposition RESET_LATER =
      Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END);

  private static String advice(HealthReport report, Instant now) {
    String json = new String(HealthJson.write(report), StandardCharsets.UTF_8);
    return DrainAdvice.of(
        new CheckResult(report, json, "the agent", Optional.empty(), Optional.empty(), now), false);
  }

  private static String advice(HealthReport report) {
    return advice(report, MadeReports.JUDGED.plusSeconds(600));
  }

  private static HealthReport with(Verdict verdict, Finding... findings) {
    return MadeReports.with(verdict, List.of(findings));
  }

  private static Finding finding(Disposition disposition, String what) {
    return MadeReports.finding("xid_79", new Subject.Gpu(MadeReports.uuid(0)), disposition, what);
  }

  @Test
  void aFailingNodeIsDrainedWithActionPlaceAndCause() {
    assertThat(advice(MadeReports.failing()))
        .startsWith("drain replace_node: GPU ")
        .contains("(xid_79")
        .doesNotContain("\n");
  }

  @Test
  void aNodeWithoutADemandingFindingIsGivenBack() {
    assertThat(advice(MadeReports.healthy())).isEqualTo("resume healthy");
    assertThat(advice(with(Verdict.DEGRADED, finding(Disposition.WATCH, "hot"))))
        .isEqualTo("resume degraded");
  }

  @Test
  void aResetAtTheEndOfTheJobNeedsADrainToo() {
    assertThat(advice(with(Verdict.DEGRADED, finding(RESET_LATER, "rows to remap."))))
        .isEqualTo("drain reset_gpu: GPU 0: rows to remap (xid_79)");
  }

  @Test
  void aFindingOfTheLastMinuteOrThatNvmlLeftUnconfirmedChangesNothing() {
    Finding fresh = finding(RESET_LATER, "rows to remap");
    assertThat(advice(with(Verdict.DEGRADED, fresh), fresh.since().plusSeconds(69)))
        .startsWith("keep degraded");
    assertThat(advice(with(Verdict.DEGRADED, fresh), fresh.since().minusMillis(900)))
        .as("a time in whole seconds")
        .startsWith("keep degraded");
    assertThat(advice(with(Verdict.DEGRADED, fresh), fresh.since().minusSeconds(3_600)))
        .startsWith("drain reset_gpu");
    Detection unconfirmed = fresh.detection().unconfirmed("not confirmed");
    Finding forged = new Finding(unconfirmed, fresh.since(), fresh.last());
    assertThat(advice(with(Verdict.DEGRADED, forged))).startsWith("keep degraded");
  }

  @Test
  void anInformationalFindingChangesNothing() {
    assertThat(advice(with(Verdict.HEALTHY, finding(Disposition.EXTERNAL, "a slow peer"))))
        .isEqualTo("resume healthy");
  }

  @Test
  void whoDoesNotSeeTheNodeKeepsIt() {
    CheckResult unknown =
        new CheckResult(
            MadeReports.healthy(),
            "",
            "this command",
            Optional.of("no agent is reachable at\nhttp://127.0.0.1:9754"),
            Optional.empty(),
            MadeReports.JUDGED);

    assertThat(DrainAdvice.of(unknown, true))
        .isEqualTo("keep unknown: no agent is reachable at http://127.0.0.1:9754");
  }

  @Test
  void maintenanceKeepsTheNode() {
    HealthReport maintained =
        MadeReports.during(
            MadeReports.failing(),
            new Operations(
                Optional.of(
                    new Operations.Maintenance(
                        MadeReports.JUDGED, MadeReports.JUDGED.plusSeconds(3600), "")),
                Optional.empty(),
                List.of()));

    assertThat(advice(maintained)).isEqualTo("keep the node is in maintenance");
  }
}
