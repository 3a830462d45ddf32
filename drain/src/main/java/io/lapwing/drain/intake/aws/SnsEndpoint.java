package io.lapwing.drain.intake.aws;

import io.lapwing.drain.intake.AlertIntake;
import io.lapwing.drain.intake.AlertMessage;
import io.lapwing.drain.intake.AlertMessage.Format;
import io.lapwing.drain.intake.Channel;
import io.lapwing.drain.intake.Intake;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.Reply;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.intake.SeenKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.messagemanager.sns.model.SnsMessage;
import software.amazon.awssdk.messagemanager.sns.model.SnsSubscriptionConfirmation;

/**
 * The HTTPS endpoint of a subscription to SNS. Nothing is done before the topic is known to be
 * accepted, the message to be new, and its signature to be that of SNS.
 */
public final class SnsEndpoint {

  /** SNS has at most 256 KiB, and JSON in JSON is longer. */
  private static final int MOST_BYTES = 1 << 20;

  private static final Duration OLDEST = Duration.ofHours(1);
  private static final Duration SKEW = Duration.ofMinutes(5);
  private static final String TYPE = "x-amz-sns-message-type";
  private static final String RAW = "x-amz-sns-rawdelivery";

  private final AlertIntake alerts;
  private final Set<String> topics = new TreeSet<>();
  private final SnsSignatures signatures;
  private final Subscriptions subscriptions;
  private final SeenKeys seen = new SeenKeys(10_000, OLDEST.plus(SKEW));

  /**
   * @param topics those that are accepted, and no others
   */
  public SnsEndpoint(
      AlertIntake alerts,
      Collection<TopicArn> topics,
      SnsSignatures signatures,
      Subscriptions subscriptions) {
    this.alerts = alerts;
    this.signatures = signatures;
    this.subscriptions = subscriptions;
    topics.forEach(topic -> this.topics.add(topic.text()));
  }

  /** Handles a POST. */
  public Reply answer(Map<String, String> headers, byte[] body, Instant now) {
    try {
      SnsEnvelope envelope = envelope(headers, body, now);
      SnsMessage message = signatures.verified(envelope, body);
      return handled(envelope, message, now).reply();
    } catch (Unusable e) {
      return alerts.report(Channel.SNS, e.intake()).reply();
    }
  }

  private SnsEnvelope envelope(Map<String, String> headers, byte[] body, Instant now)
      throws Unusable {
    if (body.length > MOST_BYTES) {
      throw new Unusable(Result.TOO_LARGE, "message: more than " + MOST_BYTES + " bytes");
    }
    if (header(headers, RAW).filter(value -> value.equalsIgnoreCase("true")).isPresent()) {
      throw SnsEnvelope.malformed(RAW, "raw delivery has no signature and is refused");
    }
    SnsEnvelope envelope = SnsEnvelope.read(body);
    if (!header(headers, TYPE).equals(Optional.of(envelope.type()))) {
      throw SnsEnvelope.malformed(TYPE, "not the Type of the message");
    }
    if (!topics.contains(envelope.topic().text())) {
      throw new Unusable(
          Result.NOT_AUTHENTIC, envelope.shown() + ": TopicArn: not an accepted topic");
    }
    checkTime(envelope, now);
    return envelope;
  }

  private static void checkTime(SnsEnvelope envelope, Instant now) throws Unusable {
    Instant at = envelope.timestamp();
    if (at.isBefore(now.minus(OLDEST)) || at.isAfter(now.plus(SKEW))) {
      throw new Unusable(
          Result.TOO_OLD,
          envelope.shown() + ": Timestamp: " + at + " is not within an hour before now");
    }
  }

  private static Optional<String> header(Map<String, String> headers, String name) {
    return headers.entrySet().stream()
        .filter(header -> header.getKey().toLowerCase(Locale.ROOT).equals(name))
        .map(Entry::getValue)
        .findFirst();
  }

  private synchronized Intake handled(SnsEnvelope envelope, SnsMessage message, Instant now)
      throws Unusable {
    String id = message.topicArn() + "/" + message.messageId();
    if (seen.contains(id, now)) {
      return alerts.report(Channel.SNS, Intake.of(Result.DUPLICATE, envelope.shown()));
    }
    Intake intake =
        switch (message.type()) {
          case NOTIFICATION -> notification(envelope, message, now);
          case SUBSCRIPTION_CONFIRMATION -> confirmed(envelope, message);
          case UNSUBSCRIBE_CONFIRMATION ->
              subscription(envelope, "the subscription has been removed");
          case UNKNOWN -> throw SnsEnvelope.malformed("Type", "not supported");
        };
    if (!intake.later()) {
      seen.add(id, now);
    }
    return intake;
  }

  private Intake notification(SnsEnvelope envelope, SnsMessage message, Instant now)
      throws Unusable {
    if (envelope.truncated()) {
      throw new Unusable(
          Result.TRUNCATED,
          envelope.shown() + ": cut off at 256 KB; what it lacks is unknown: send fewer alerts");
    }
    byte[] json = message.message().getBytes(StandardCharsets.UTF_8);
    return alerts.take(
        AlertMessage.read(json, Format.WEBHOOK_OR_TEMPLATE),
        Channel.SNS,
        envelope.timestamp(),
        now);
  }

  private Intake confirmed(SnsEnvelope envelope, SnsMessage message) throws Unusable {
    URI url = ((SnsSubscriptionConfirmation) message).subscribeUrl();
    if (url == null || !isOfSns(url, envelope.topic())) {
      throw new Unusable(
          Result.NOT_AUTHENTIC, envelope.shown() + ": SubscribeURL: not an address of SNS");
    }
    try {
      subscriptions.confirm(url);
      return subscription(envelope, "the subscription is confirmed");
    } catch (IOException e) {
      throw new Unusable(
          Result.UNREACHABLE, envelope.shown() + ": SubscribeURL: " + e.getMessage());
    }
  }

  private Intake subscription(SnsEnvelope envelope, String what) {
    return alerts.report(
        Channel.SNS, Intake.of(Result.SUBSCRIPTION, envelope.shown() + ": " + what));
  }

  private static boolean isOfSns(URI url, TopicArn topic) {
    return "https".equals(url.getScheme())
        && topic.host().equals(url.getHost())
        && url.getPort() == -1
        && url.getRawUserInfo() == null
        && url.getQuery() != null
        && ("&" + url.getQuery() + "&").contains("&Action=ConfirmSubscription&")
        && ("&" + url.getQuery() + "&").contains("&TopicArn=" + topic + "&");
  }
}
