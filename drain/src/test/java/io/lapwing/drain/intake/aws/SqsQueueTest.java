package io.lapwing.drain.intake.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.fake.RecordingSink;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.AlertIntake;
import io.lapwing.drain.intake.Channel;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.Result;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Against ElasticMQ. */
@Tag("slow")
class SqsQueueTest {

  private static final String ALERTS =
      """
      {"version":"1","source":"lapwing","status":"firing","receiver":"automation","groupLabels":{},
       "alerts":[{"status":"firing","labels":{"alertname":"LapwingXid","instance":"gpu-17",
       "action":"replace_node"},"annotations":{},"startsAt":"2026-11-25T11:58:00Z",
       "fingerprint":"655be39d1b95ec0d"}]}""";

  private static SQSRestServer server;
  private static SqsClient client;
  private static int queues;

  private final RecordingSink sink = new RecordingSink();
  private final RequestIntake requests = new RequestIntake(sink);
  private String url = "";

  @BeforeAll
  static void aServer() {
    server = SQSRestServerBuilder.withInterface("127.0.0.1").withDynamicPort().start();
    int port = server.waitUntilStarted().localAddress().getPort();
    client =
        SqsClient.builder()
            .endpointOverride(URI.create("http://127.0.0.1:" + port))
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
            .httpClient(UrlConnectionHttpClient.create())
            .build();
  }

  @AfterAll
  static void stopped() {
    client.close();
    server.stopAndWait();
  }

  @BeforeEach
  void anEmptyQueue() {
    String name = "lapwing-" + queues++;
    url = client.createQueue(request -> request.queueName(name)).queueUrl();
  }

  private SqsQueue queue(Clock clock) {
    AlertIntake alerts =
        new AlertIntake(
            requests, Nodes.directory("gpu-17"), Set.of(), Urgency.JOB_END, Nodes.noAlerts());
    List<TopicArn> topics =
        List.of(TopicArn.parse("arn:aws:sns:us-east-1:111122223333:lapwing").orElseThrow());
    return new SqsQueue(
        client,
        URI.create(url),
        Duration.ofSeconds(0),
        alerts,
        topics,
        Duration.ofHours(12),
        clock);
  }

  private int poll() {
    return queue(Clock.systemUTC()).poll();
  }

  private void send(String body) {
    client.sendMessage(request -> request.queueUrl(url).messageBody(body));
  }

  private static String enveloped(String topic, String message, String at) {
    try {
      return new ObjectMapper()
          .writeValueAsString(
              Map.of(
                  "Type",
                  "Notification",
                  "MessageId",
                  "22b80b92",
                  "TopicArn",
                  "arn:aws:sns:us-east-1:111122223333:" + topic,
                  "Message",
                  message,
                  "Timestamp",
                  at));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Visible and hidden. */
  private int left() {
    Map<QueueAttributeName, String> attributes =
        client
            .getQueueAttributes(
                request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
            .attributes();
    return number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)
        + number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
  }

  private static int number(Map<QueueAttributeName, String> all, QueueAttributeName one) {
    return Integer.parseInt(all.getOrDefault(one, "0"));
  }

  private long count(Result result) {
    return requests.counts().of(Channel.SQS, result);
  }

  @Test
  void aMessageIsDeletedOnceItWasHandled() {
    send(ALERTS);

    assertThat(poll()).isEqualTo(1);
    assertThat(sink.requests).extracting(request -> request.source()).containsExactly("sqs");
    assertThat(left()).isZero();
    assertThat(poll()).isZero();
  }

  @Test
  void theEnvelopeOfSnsIsOpened() {
    send(enveloped("lapwing", ALERTS, Clock.systemUTC().instant().toString()));

    poll();
    assertThat(count(Result.TAKEN)).isEqualTo(1);
    assertThat(left()).isZero();
  }

  @Test
  void aMessageOfAnotherTopicIsRemoved() {
    send(enveloped("other", ALERTS, Clock.systemUTC().instant().toString()));

    poll();
    assertThat(count(Result.NOT_AUTHENTIC)).isEqualTo(1);
    assertThat(sink.requests).isEmpty();
    assertThat(left()).isZero();
  }

  @Test
  void whatCanNeverBeHandledIsRemovedAndCounted() {
    send("[FIRING:1] LapwingXid");
    send(ALERTS.replace("gpu-17", "gpu-99"));

    poll();
    poll();
    assertThat(count(Result.MALFORMED)).isEqualTo(1);
    assertThat(count(Result.UNKNOWN_NODE)).isEqualTo(1);
    assertThat(left()).isZero();
  }

  @Test
  void whatCannotBeHandledNowStaysAndIsHiddenForAWhile() {
    sink.full = true;
    send(ALERTS);

    assertThat(poll()).isEqualTo(1);
    assertThat(left()).isEqualTo(1);
    assertThat(poll()).isZero();
    assertThat(count(Result.NOT_WRITTEN)).isEqualTo(1);
  }

  @Test
  void aMessageIsHiddenLongerEachTime() {
    assertThat(SqsQueue.hidden(1)).isEqualTo(Duration.ofSeconds(5));
    assertThat(SqsQueue.hidden(4)).isEqualTo(Duration.ofSeconds(40));
    assertThat(SqsQueue.hidden(1000)).isEqualTo(Duration.ofMinutes(15));
  }

  @Test
  void aMessageThatIsDaysOldIsRemoved() {
    send(ALERTS);
    send(enveloped("lapwing", ALERTS, "2026-01-01T00:00:00.000Z"));

    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(2));
    queue(later).poll();
    queue(later).poll();
    assertThat(count(Result.TOO_OLD)).isEqualTo(2);
    assertThat(sink.requests).isEmpty();
    assertThat(left()).isZero();
  }

  @Test
  void aMessageThatWasCutOffIsRemovedWithTheReason() {
    client.sendMessage(
        request ->
            request
                .queueUrl(url)
                .messageBody(ALERTS)
                .messageAttributes(
                    Map.of(
                        "truncated",
                        MessageAttributeValue.builder()
                            .dataType("String")
                            .stringValue("true")
                            .build())));

    poll();
    assertThat(count(Result.TRUNCATED)).isEqualTo(1);
    assertThat(left()).isZero();
  }

  @Test
  void moreThanABatchIsHandledInSeveral() {
    for (int i = 0; i < 25; i++) {
      send(ALERTS.replace("655be39d1b95ec0d", "%016x".formatted(i)));
    }

    int rounds = 0;
    while (poll() > 0) {
      rounds++;
    }
    assertThat(rounds).isGreaterThanOrEqualTo(3);
    assertThat(sink.requests).hasSize(25);
    assertThat(left()).isZero();
  }

  @Test
  void aQueueThatDoesNotExistIsAnError() {
    url = url + "-none";

    assertThatThrownBy(this::poll).isInstanceOf(SdkException.class);
  }
}
