package io.lapwing.drain.intake.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.drain.intake.AlertIntake;
import io.lapwing.drain.intake.AlertMessage;
import io.lapwing.drain.intake.AlertMessage.Format;
import io.lapwing.drain.intake.Channel;
import io.lapwing.drain.intake.Intake;
import io.lapwing.drain.intake.Json;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.intake.Words;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles messages of SQS. The queue's policy restricts senders, so a message needs no signature;
 * it is the envelope of SNS, or the alerts themselves.
 */
final class SqsIntake {

  private static final Logger LOG = LoggerFactory.getLogger(SqsIntake.class);

  private final AlertIntake alerts;
  private final Set<String> topics;
  private final Duration oldest;
  private final int poisonAfter;

  /**
   * @param topics those that are accepted; all if empty
   * @param oldest greatest age of a message: an old one does not describe the current state
   * @param poisonAfter receptions after which a message that makes its handling fail is removed
   */
  SqsIntake(AlertIntake alerts, Collection<TopicArn> topics, Duration oldest, int poisonAfter) {
    this.alerts = alerts;
    this.topics = topics.stream().map(TopicArn::text).collect(Collectors.toUnmodifiableSet());
    this.oldest = oldest;
    this.poisonAfter = poisonAfter;
  }

  /**
   * A message as it was received.
   *
   * @param attributes names of those that its sender set
   * @param sent when, if the queue says so
   * @param receptions how often it was received, this one included
   */
  record Received(
      String id, String body, Set<String> attributes, Optional<Instant> sent, int receptions) {}

  /** Handles a message. Empty if that failed for a reason that is unknown: it is received again. */
  Optional<Intake> take(Received message, Instant now) {
    String shown = "message " + Words.plain(message.id(), 60);
    try {
      return Optional.of(handled(message, now));
    } catch (Unusable e) {
      return Optional.of(alerts.report(Channel.SQS, e.intake()));
    } catch (RuntimeException e) {
      LOG.error("{} of SQS, received {} times, cannot be handled", shown, message.receptions(), e);
      return message.receptions() < poisonAfter
          ? Optional.empty()
          : Optional.of(alerts.report(Channel.SQS, Intake.of(Result.POISON, shown + ": removed")));
    }
  }

  private Intake handled(Received message, Instant now) throws Unusable {
    checkAge(message.sent(), "sent", now);
    byte[] body = message.body().getBytes(StandardCharsets.UTF_8);
    if (message.attributes().contains("truncated")) {
      throw truncated();
    }
    JsonNode json = Json.object(body, "message");
    Content content =
        SnsEnvelope.isOn(json)
            ? ofTopic(json, now)
            : new Content(message.body(), message.sent().orElse(now));
    byte[] alertsOfIt = content.json().getBytes(StandardCharsets.UTF_8);
    return alerts.take(
        AlertMessage.read(alertsOfIt, Format.WEBHOOK_OR_TEMPLATE),
        Channel.SQS,
        content.sent(),
        now);
  }

  private record Content(String json, Instant sent) {}

  private Content ofTopic(JsonNode json, Instant now) throws Unusable {
    SnsEnvelope envelope = SnsEnvelope.of(json);
    if (!topics.isEmpty() && !topics.contains(envelope.topic().text())) {
      throw new Unusable(
          Result.NOT_AUTHENTIC, envelope.shown() + ": TopicArn: not an accepted topic");
    }
    checkAge(Optional.of(envelope.timestamp()), "Timestamp", now);
    if (envelope.truncated()) {
      throw truncated();
    }
    return new Content(envelope.message(), envelope.timestamp());
  }

  private void checkAge(Optional<Instant> at, String field, Instant now) throws Unusable {
    if (at.filter(time -> time.isBefore(now.minus(oldest))).isPresent()) {
      throw new Unusable(
          Result.TOO_OLD, "message: " + field + ": " + at.get() + ", more than " + oldest + " ago");
    }
  }

  private static Unusable truncated() {
    return new Unusable(
        Result.TRUNCATED,
        "message: cut off at 256 KB; what it lacks is unknown: send fewer alerts");
  }

  /** The sender's attributes as {@link Received} has them. */
  static Set<String> names(Map<String, ?> attributes) {
    return Set.copyOf(attributes.keySet());
  }
}
