package io.lapwing.drain.intake.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.AlertIntake;
import io.lapwing.drain.intake.Channel;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.intake.aws.SqsIntake.Received;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SqsIntakeTest {

  private static final String ALERT =
      """
      {"version": "4", "alerts": [{"status": "firing", "fingerprint": "655be39d1b95ec0d",
        "startsAt": "2026-11-25T10:00:00Z",
        "labels": {"alertname": "LapwingXid", "instance": "n1", "action": "reset_gpu"}}]}
      """;

  @Test
  void aMessageThatMakesItsHandlingFailIsRemovedAfterAFewTriesAndCounted() {
    RequestIntake requests = new RequestIntake((request, now) -> Optional.empty());
    AlertIntake alerts =
        new AlertIntake(
            requests,
            name -> {
              throw new IllegalStateException("a defect");
            },
            Set.of(),
            Urgency.JOB_END,
            Nodes.noAlerts());
    SqsIntake intake = new SqsIntake(alerts, List.of(), Duration.ofDays(1), 5);

    for (int receptions = 1; receptions < 5; receptions++) {
      Received message = new Received("m", ALERT, Set.of(), Optional.empty(), receptions);
      assertThat(intake.take(message, Instant.EPOCH)).isEmpty();
    }
    Received last = new Received("m", ALERT, Set.of(), Optional.empty(), 5);
    assertThat(intake.take(last, Instant.EPOCH).orElseThrow().later()).isFalse();
    assertThat(requests.counts().of(Channel.SQS, Result.POISON)).isEqualTo(1);
  }
}
