package io.lapwing.drain.intake.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.fake.RecordingSink;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.AlertIntake;
import io.lapwing.drain.intake.Channel;
import io.lapwing.drain.intake.Reply;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.intake.SeenKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnsEndpointTest {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final String TOPIC = "arn:aws:sns:us-east-1:111122223333:lapwing-automation";
  private static final String CERTIFICATE =
      "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5ca.pem";
  private static final String CHINA = "cn-north-1.amazonaws.com.cn";
  private static final String SUBSCRIBE =
      "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn="
          + TOPIC
          + "&Token=2336412f37";
  private static final String ALERTS =
      """
      {"version":"1","source":"lapwing","status":"firing","receiver":"automation","groupLabels":{},
       "alerts":[{"status":"firing","labels":{"alertname":"LapwingXid","instance":"gpu-17",
       "action":"replace_node"},"annotations":{},"startsAt":"2026-11-25T11:58:00Z",
       "fingerprint":"655be39d1b95ec0d"}]}""";

  @TempDir private static Path dir;
  private static SigningKey key;

  private final RecordingSink sink = new RecordingSink();
  private final RequestIntake requests = new RequestIntake(sink);
  private final List<String> fetched = new ArrayList<>();
  private final List<URI> confirmed = new ArrayList<>();
  private final int[] certificateStatus = {200};
  private boolean confirmationFails;
  private final Map<String, String> message = new TreeMap<>();
  private String signedBy = "2";
  private SnsEndpoint endpoint;

  @BeforeAll
  static void aKeyOfSns() throws Exception {
    key = SigningKey.of(dir, "sns.amazonaws.com");
  }

  @BeforeEach
  void anEndpointThatKnowsNothing() {
    endpoint = endpoint(key, TOPIC);
  }

  private SnsEndpoint endpoint(SigningKey signing, String topic) {
    List<TopicArn> topics = List.of(TopicArn.parse(topic).orElseThrow());
    return new SnsEndpoint(
        new AlertIntake(
            requests, Nodes.directory("gpu-17"), Set.of(), Urgency.JOB_END, Nodes.noAlerts()),
        topics,
        new SnsSignatures(topics, signing.client(fetched, certificateStatus)),
        url -> {
          if (confirmationFails) {
            throw new IOException("status 500");
          }
          confirmed.add(url);
        });
  }

  private SnsEndpointTest notification() {
    message.putAll(
        Map.of(
            "Type", "Notification",
            "MessageId", "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
            "TopicArn", TOPIC,
            "Message", ALERTS,
            "Subject", "[FIRING] LapwingXid",
            "Timestamp", "2026-11-25T11:59:30.123Z",
            "SignatureVersion", "2",
            "SigningCertURL", CERTIFICATE,
            "UnsubscribeURL", "https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe"));
    return this;
  }

  private SnsEndpointTest subscription(String type) {
    notification();
    message.remove("Subject");
    message.remove("UnsubscribeURL");
    message.putAll(
        Map.of("Type", type, "Token", "2336412f37", "SubscribeURL", SUBSCRIBE, "Message", "You"));
    return this;
  }

  private SnsEndpointTest signed() {
    StringBuilder canonical = new StringBuilder();
    List<String> fields =
        "Notification".equals(message.get("Type"))
            ? List.of("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type")
            : List.of(
                "Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type");
    for (String field : fields) {
      if (message.containsKey(field)) {
        canonical.append(field).append('\n').append(message.get(field)).append('\n');
      }
    }
    message.put("SignatureVersion", signedBy);
    message.put("Signature", key.sign(signedBy, canonical.toString()));
    return this;
  }

  private SnsEndpointTest with(String field, String value) {
    message.put(field, value);
    return this;
  }

  private String json() {
    try {
      return new ObjectMapper().writeValueAsString(message);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Reply post() {
    return post(json(), Map.of("X-Amz-Sns-Message-Type", message.getOrDefault("Type", "")));
  }

  private Reply post(String body, Map<String, String> headers) {
    return endpoint.answer(headers, body.getBytes(UTF_8), NOW);
  }

  private long count(Result result) {
    return requests.counts().of(Channel.SNS, result);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void alertsInASignedMessageAreRequests(String version) {
    signedBy = version;

    assertThat(notification().signed().post())
        .isEqualTo(new Reply(200, "taken: gpu-17, replace_node, LapwingXid"));
    assertThat(sink.requests).extracting(request -> request.source()).containsExactly("sns");
    assertThat(fetched).containsExactly(CERTIFICATE);
  }

  @Test
  void aMessageOfAWholeSecondIsVerifiedToo() {
    notification().with("Timestamp", "2026-11-25T11:59:30.000Z").signed();

    assertThat(post().status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Message", "MessageId", "Subject", "Timestamp"})
  void aChangedFieldIsRefused(String field) {
    notification().signed();
    String changed =
        switch (field) {
          case "Message" -> ALERTS.replace("gpu-17", "gpu-18");
          case "Timestamp" -> "2026-11-25T11:59:31.123Z";
          default -> "other";
        };

    assertThat(with(field, changed).post().status()).isEqualTo(403);
    assertThat(sink.requests).isEmpty();
    assertThat(count(Result.NOT_AUTHENTIC)).isEqualTo(1);
  }

  @Test
  void aMessageThatIsPresentedAsAnotherTypeIsRefused() {
    notification().signed().with("Type", "UnsubscribeConfirmation");

    assertThat(with("SubscribeURL", SUBSCRIBE).with("Token", "x").post().status()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({
    "arn:aws:sns:us-east-1:111122223333:other, 403",
    "arn:aws:sns:us-east-1:999922223333:lapwing-automation, 403",
    "arn:aws:sns:eu-west-1:111122223333:lapwing-automation, 403",
    "lapwing-automation, 400",
  })
  void anotherTopicIsRefusedBeforeACertificateIsFetched(String topic, int status) {
    assertThat(notification().with("TopicArn", topic).signed().post().status()).isEqualTo(status);
    assertThat(fetched).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://sns.us-east-1.amazonaws.com/SimpleNotificationService-9c.pem",
        "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-9c.pem",
        "https://sns.us-east-1.amazonaws.com.example/SimpleNotificationService-9c.pem",
        "https://example/sns.us-east-1.amazonaws.com/SimpleNotificationService-9c.pem",
        "https://sns.us-east-1.amazonaws.com@example/SimpleNotificationService-9c.pem",
        "https://sns.us-east-1.amazonaws.com:8443/SimpleNotificationService-9c.pem",
        "https://sns.us-east-1.amazonaws.com/other.pem",
        "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-9c.pem?x=y",
        "https://bucket.s3.amazonaws.com/SimpleNotificationService-9c.pem",
        "mailto:sns",
      })
  void aCertificateFromElsewhereIsNotFetched(String url) {
    assertThat(notification().with("SigningCertURL", url).signed().post().status()).isEqualTo(403);
    assertThat(fetched).isEmpty();
  }

  @Test
  void aCertificateOfAnotherHostIsRefused() {
    String china = "arn:aws-cn:sns:cn-north-1:111122223333:lapwing-automation";
    endpoint = endpoint(key, china);

    Reply reply =
        notification()
            .with("TopicArn", china)
            .with("SigningCertURL", CERTIFICATE.replace("us-east-1.amazonaws.com", CHINA))
            .signed()
            .post();
    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.text()).contains("common name");
    assertThat(fetched).hasSize(1);
  }

  @Test
  void anExpiredCertificateIsRefused() throws Exception {
    SigningKey sns = key;
    key = SigningKey.of(dir, "sns.amazonaws.com", "-startdate", "-10d", "-validity", "2");
    try {
      endpoint = endpoint(key, TOPIC);

      Reply reply = notification().signed().post();
      assertThat(reply.status()).isEqualTo(403);
      assertThat(reply.text()).contains("expired");
    } finally {
      key = sns;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 500, 429})
  void aCertificateThatCannotBeFetchedNowSaysNothingOfTheMessage(int status) {
    certificateStatus[0] = status;
    assertThat(notification().signed().post().status()).isEqualTo(503);
    assertThat(count(Result.UNREACHABLE)).isEqualTo(1);

    certificateStatus[0] = 200;
    assertThat(post().status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-25T10:59:59.000Z, 422",
    "2026-11-25T11:00:01.000Z, 200",
    "2026-11-25T12:04:00.000Z, 200",
    "2026-11-25T12:06:00.000Z, 422",
    "2026-11-20T12:00:00.000Z, 422",
  })
  void aMessageIsAtMostAnHourOld(String timestamp, int status) {
    assertThat(notification().with("Timestamp", timestamp).signed().post().status())
        .isEqualTo(status);
  }

  @Test
  void aMessageThatWasHandledIsNotHandledAgain() {
    notification().signed().post();

    assertThat(post().text()).startsWith("duplicate: message 22b80b92");
    assertThat(sink.requests).hasSize(1);
  }

  @Test
  void aMessageThatCouldNotBeHandledIsHandledWhenItIsRepeated() {
    sink.full = true;
    assertThat(notification().signed().post().status()).isEqualTo(503);

    sink.full = false;
    assertThat(post().status()).isEqualTo(200);
    assertThat(sink.requests).hasSize(1);
  }

  @Test
  void aSubscriptionToAnAcceptedTopicIsConfirmed() {
    assertThat(subscription("SubscriptionConfirmation").signed().post().status()).isEqualTo(200);
    assertThat(confirmed).containsExactly(URI.create(SUBSCRIBE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=",
        "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=",
        "https://169.254.169.254/?Action=ConfirmSubscription&TopicArn=",
        "https://sns.us-east-1.amazonaws.com/?Action=DeleteTopic&TopicArn=",
        "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=x",
        "https://sns.us-east-1.amazonaws.com/",
      })
  void noOtherAddressIsVisited(String url) {
    String address = url.endsWith("=") ? url + TOPIC : url;
    subscription("SubscriptionConfirmation").with("SubscribeURL", address).signed();

    assertThat(post().status()).isEqualTo(403);
    assertThat(confirmed).isEmpty();
  }

  @Test
  void aSubscriptionToAnotherTopicOrWithoutASignatureIsNotConfirmed() {
    subscription("SubscriptionConfirmation");
    message.put("Signature", "AAAA");
    assertThat(post().status()).isEqualTo(403);

    with("TopicArn", TOPIC + "-2").signed();
    assertThat(post().status()).isEqualTo(403);
    assertThat(confirmed).isEmpty();
  }

  @Test
  void aConfirmationThatFailsIsTriedAgain() {
    confirmationFails = true;
    assertThat(subscription("SubscriptionConfirmation").signed().post().status()).isEqualTo(503);

    confirmationFails = false;
    assertThat(post().status()).isEqualTo(200);
    assertThat(confirmed).hasSize(1);
  }

  @Test
  void theEndOfASubscriptionIsLogged() {
    Reply reply = subscription("UnsubscribeConfirmation").signed().post();

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).contains("the subscription has been removed");
    assertThat(confirmed).isEmpty();
  }

  @Test
  void rawDeliveryIsRefused() {
    assertThat(post(ALERTS, Map.of("x-amz-sns-rawdelivery", "true")).text()).contains("signature");
    assertThat(post(ALERTS, Map.of("x-amz-sns-message-type", "Notification")))
        .isEqualTo(
            new Reply(
                400, "malformed: message: without the envelope of SNS; raw delivery is refused"));
  }

  @Test
  void theHeaderHasTheTypeOfTheMessage() {
    notification().signed();

    assertThat(post(json(), Map.of()).status()).isEqualTo(400);
    assertThat(post(json(), Map.of("x-amz-sns-message-type", "Other")).status()).isEqualTo(400);
  }

  @Test
  void aMessageThatWasCutOffIsRefusedWithTheReason() {
    notification().signed();
    String cut = json().replaceFirst("\\{", "{\"MessageAttributes\":{\"truncated\":{}},");

    Reply reply = post(cut, Map.of("x-amz-sns-message-type", "Notification"));
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.text()).contains("cut off at 256 KB");
  }

  @Test
  void textThatIsNoJsonIsRefused() {
    assertThat(notification().with("Message", "[FIRING:1] LapwingXid").signed().post().text())
        .startsWith("malformed: message: not a JSON object");
  }

  @Test
  void aBodyThatIsNoJsonIsRefused() {
    Map<String, String> header = Map.of("x-amz-sns-message-type", "Notification");
    assertThat(post("hello", header).status()).isEqualTo(400);
    assertThat(post("[".repeat(100_000), header).status()).isEqualTo(400);
    assertThat(post(" ".repeat(1 << 21), header).status()).isEqualTo(413);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Type", "MessageId", "TopicArn", "Message", "Timestamp", "SigningCertURL"})
  void aMissingFieldIsRefused(String field) {
    notification().signed();
    message.remove(field);

    assertThat(post(json(), Map.of("x-amz-sns-message-type", "Notification")).status())
        .isBetween(400, 403);
    assertThat(sink.requests).isEmpty();
  }

  @Test
  void aMemoryOfMessagesIsBounded() {
    SeenKeys seen = new SeenKeys(100, Duration.ofHours(1));
    for (int i = 0; i < 1000; i++) {
      seen.add("key" + i, NOW);
    }

    assertThat(seen.size()).isEqualTo(100);
    assertThat(seen.contains("key999", NOW)).isTrue();
    assertThat(seen.contains("key0", NOW)).isFalse();
  }
}
