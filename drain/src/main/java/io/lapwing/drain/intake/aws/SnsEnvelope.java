package io.lapwing.drain.intake.aws;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.drain.intake.Json;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.intake.Words;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * What SNS puts around a message. Nothing of it is known to be true before {@link SnsSignatures}
 * has checked it; the attribute is never signed.
 *
 * @param truncated whether the sender says that the message was cut off
 */
record SnsEnvelope(
    String type,
    String messageId,
    TopicArn topic,
    String message,
    Instant timestamp,
    Optional<URI> certificate,
    Optional<URI> subscribe,
    boolean truncated) {

  static final String NOTIFICATION = "Notification";
  static final String SUBSCRIPTION = "SubscriptionConfirmation";
  static final String UNSUBSCRIPTION = "UnsubscribeConfirmation";

  /** Whether a message has an envelope. */
  static boolean isOn(JsonNode json) {
    return json.path("Type").isTextual() && json.path("TopicArn").isTextual();
  }

  static SnsEnvelope read(byte[] body) throws Unusable {
    return of(Json.object(body, "message"));
  }

  static SnsEnvelope of(JsonNode json) throws Unusable {
    if (!isOn(json)) {
      throw malformed("message", "without the envelope of SNS; raw delivery is refused");
    }
    String topic = text(json, "TopicArn");
    return new SnsEnvelope(
        text(json, "Type"),
        text(json, "MessageId"),
        TopicArn.parse(topic).orElseThrow(() -> malformed("TopicArn", "not the ARN of a topic")),
        text(json, "Message"),
        time(json),
        uri(json, "SigningCertURL"),
        uri(json, "SubscribeURL"),
        json.path("MessageAttributes").has("truncated"));
  }

  private static Instant time(JsonNode json) throws Unusable {
    try {
      return Instant.parse(text(json, "Timestamp"));
    } catch (DateTimeException e) {
      throw malformed("Timestamp", "not a time");
    }
  }

  private static Optional<URI> uri(JsonNode json, String field) throws Unusable {
    if (!json.has(field)) {
      return Optional.empty();
    }
    try {
      return Optional.of(URI.create(text(json, field)));
    } catch (IllegalArgumentException e) {
      throw malformed(field, "not an address");
    }
  }

  private static String text(JsonNode json, String field) throws Unusable {
    JsonNode value = json.path(field);
    if (!value.isTextual()) {
      throw malformed(field, value.isMissingNode() ? "missing" : "not a text");
    }
    return value.textValue();
  }

  static Unusable malformed(String field, String reason) {
    return new Unusable(Result.MALFORMED, field + ": " + reason);
  }

  /** For logs. */
  String shown() {
    return "message " + Words.plain(messageId, 60) + " of " + topic;
  }
}
