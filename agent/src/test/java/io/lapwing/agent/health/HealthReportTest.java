package io.lapwing.agent.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HealthReportTest {

  private static final String WHY = "health is not evaluated";

  @Test
  void aHealthyReportBecomesUnknownOnceItIsStale() {
    HealthReport report = MadeReports.healthy().stale(WHY);

    assertThat(report.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(report.summary()).isEqualTo(WHY);
    assertThat(report.at()).isEqualTo(MadeReports.healthy().at());
    assertThat(report.gpus())
        .isNotEmpty()
        .allMatch(gpu -> gpu.verdict().compareTo(Verdict.UNKNOWN) >= 0);
  }

  @Test
  void whatWasFailingStaysSo() {
    HealthReport failing = MadeReports.failing();
    HealthReport report = failing.stale(WHY);

    assertThat(report.verdict()).isEqualTo(Verdict.FAILING);
    assertThat(report.action()).isEqualTo(failing.action());
    assertThat(report.findings()).isEqualTo(failing.findings());
    assertThat(report.summary()).isEqualTo(failing.summary());
  }
}
