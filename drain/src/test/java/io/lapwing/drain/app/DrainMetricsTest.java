package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.jobs.BlastRadius;
import io.lapwing.drain.jobs.JobAtStake;
import io.lapwing.drain.jobs.Loss;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.EndedJob;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import io.lapwing.drain.remediation.Remediation.Seen;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class DrainMetricsTest {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private final DrainMetrics metrics = new DrainMetrics();

  private static Entry entry(Phase phase, Optional<BlastRadius> radius, String... ended) {
    List<EndedJob> jobs = Arrays.stream(ended).map(job -> new EndedJob(job, NOW)).toList();
    return new Entry(
        NOW,
        "",
        new Remediation(
            "1-1",
            new NodeName("n1"),
            Remedy.REBOOT_NODE,
            Urgency.NOW,
            "xid_79",
            "",
            NOW,
            NOW,
            phase,
            NOW,
            Optional.of(NOW),
            "",
            "",
            List.of(),
            jobs,
            Seen.NOTHING),
        radius);
  }

  private static Optional<BlastRadius> loses(String job, Loss loss) {
    JobAtStake stake =
        new JobAtStake(
            job,
            "ada",
            2,
            OptionalInt.of(16),
            Optional.empty(),
            loss,
            Loss.UNKNOWN,
            Optional.empty());
    return Optional.of(new BlastRadius(List.of(stake), List.of(), 0, List.of(), List.of()));
  }

  private static Loss hours(double hours) {
    return Loss.of(hours, OptionalDouble.empty());
  }

  @Test
  void whatAJobLosesCountsWhenItHasLeft() {
    metrics.decided(entry(Phase.WAITING_FOR_JOBS, loses("4711", hours(2.5)), "4711"));
    assertThat(metrics.text()).contains("lapwing_drain_jobs_lost_gpu_seconds_total 0.0");

    metrics.decided(entry(Phase.WAITING_FOR_JOBS, loses("4712", Loss.UNKNOWN), "4711", "4712"));
    metrics.decided(entry(Phase.DRAINED, Optional.empty(), "4711", "4712"));
    assertThat(metrics.text())
        .contains("lapwing_drain_jobs_lost_gpu_seconds_total 9000.0")
        .contains("lapwing_drain_jobs_ended_total{loss=\"known\",} 1.0")
        .contains("lapwing_drain_jobs_ended_total{loss=\"unknown\",} 1.0");
  }

  @Test
  void aCommandThatWasRefusedCostsNothing() {
    metrics.decided(entry(Phase.WAITING_FOR_JOBS, loses("4711", hours(2.5)), "4711"));
    metrics.decided(entry(Phase.WAITING_FOR_JOBS, Optional.empty()));
    metrics.decided(entry(Phase.DRAINED, Optional.empty()));
    assertThat(metrics.text())
        .contains("lapwing_drain_jobs_lost_gpu_seconds_total 0.0")
        .doesNotContain("lapwing_drain_jobs_ended_total{");
  }
}
