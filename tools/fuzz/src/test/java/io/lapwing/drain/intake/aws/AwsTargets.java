package io.lapwing.drain.intake.aws;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.AlertIntake;
import io.lapwing.drain.intake.FiringAlerts;
import io.lapwing.drain.intake.Intake;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.NodeResolver.NotFound;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.aws.SqsIntake.Received;
import io.lapwing.fuzz.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What SNS and SQS deliver. */
public final class AwsTargets {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

  private AwsTargets() {}

  public static List<Target> all() {
    String envelope =
        """
        {"Type": "Notification", "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
         "TopicArn": "arn:aws:sns:us-east-1:111122223333:lapwing-automation", "Subject": "x",
         "Message": "{\\"version\\": \\"4\\", \\"alerts\\": []}",
         "Timestamp": "2026-11-25T11:59:30.123Z", "SignatureVersion": "2", "Signature": "AAAA",
         "SigningCertURL": "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-9c.pem",
         "SubscribeURL": "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription"}
        """;
    return List.of(
        Target.ofBytes("sns-envelope", AwsTargets::envelope).seeds(envelope),
        Target.ofText("sqs-message", AwsTargets::message)
            .seeds(envelope)
            .recordings("drain/src/test/resources/alertmanager/*.json"));
  }

  private static void envelope(byte[] input) {
    try {
      SnsEnvelope envelope = SnsEnvelope.read(input);
      demand(envelope.topic().host().matches("sns\\.[a-z0-9-]+\\.amazonaws\\.com(\\.cn)?"), "host");
    } catch (Unusable declared) {
      demand(declared.intake().reply().status() == 400, "status");
    }
  }

  private static void message(String input) {
    AlertIntake alerts =
        new AlertIntake(
            new RequestIntake((request, now) -> Optional.empty()),
            name -> new NotFound("no node " + name.length()),
            Set.of(),
            Urgency.JOB_END,
            new FiringAlerts(() -> Set.of("any"), Duration.ofHours(5), () -> Instant.EPOCH));
    SqsIntake intake = new SqsIntake(alerts, List.of(), Duration.ofDays(1), 1_000);
    Optional<Intake> result =
        intake.take(new Received("m", input, Set.of(), Optional.empty(), 1), NOW);
    demand(result.isPresent(), "handling failed");
    demand(!result.get().later(), "kept for ever");
  }
}
