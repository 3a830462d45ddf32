package io.lapwing.drain.intake.aws;

import io.lapwing.drain.intake.AlertIntake;
import io.lapwing.drain.intake.Intake;
import io.lapwing.drain.intake.aws.SqsIntake.Received;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Receives alerts from a queue of SQS, ten at a time. A message is deleted once it was handled or
 * never can be; another is received again, later each time.
 */
public final class SqsQueue {

  private static final int BATCH = 10;
  private static final Duration VISIBILITY = Duration.ofMinutes(1);
  private static final Duration LONGEST_HIDDEN = Duration.ofMinutes(15);
  private static final int POISON_AFTER = 5;

  private final SqsClient client;
  private final URI queue;
  private final Duration wait;
  private final Clock clock;
  private final SqsIntake intake;

  /**
   * @param client the caller closes it; its read timeout is longer than {@code wait}
   * @param queue its URL
   * @param wait how long SQS waits for a message, at most 20 seconds
   * @param topics from which messages are accepted; all if empty
   * @param oldest greatest age of a message
   */
  public SqsQueue(
      SqsClient client,
      URI queue,
      Duration wait,
      AlertIntake alerts,
      Collection<TopicArn> topics,
      Duration oldest,
      Clock clock) {
    this.client = client;
    this.queue = queue;
    this.wait = wait;
    this.clock = clock;
    this.intake = new SqsIntake(alerts, topics, oldest, POISON_AFTER);
  }

  /**
   * Receives once, and handles what came.
   *
   * @return number of messages
   * @throws SdkException if the queue cannot be reached or may not be read
   */
  public int poll() {
    List<Message> messages =
        client
            .receiveMessage(
                request ->
                    request
                        .queueUrl(queue.toString())
                        .maxNumberOfMessages(BATCH)
                        .waitTimeSeconds((int) wait.toSeconds())
                        .visibilityTimeout((int) VISIBILITY.toSeconds())
                        .messageAttributeNames("All")
                        .messageSystemAttributeNames(
                            MessageSystemAttributeName.SENT_TIMESTAMP,
                            MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT))
            .messages();
    messages.forEach(this::handle);
    return messages.size();
  }

  private void handle(Message message) {
    Received received = received(message);
    Optional<Intake> result = intake.take(received, clock.instant());
    if (result.isPresent() && !result.get().later()) {
      client.deleteMessage(
          request -> request.queueUrl(queue.toString()).receiptHandle(message.receiptHandle()));
    } else {
      client.changeMessageVisibility(
          request ->
              request
                  .queueUrl(queue.toString())
                  .receiptHandle(message.receiptHandle())
                  .visibilityTimeout((int) hidden(received.receptions()).toSeconds()));
    }
  }

  /** 5, 10, 20 seconds and so on. */
  static Duration hidden(int receptions) {
    Duration hidden = Duration.ofSeconds(5L << Math.min(Math.max(receptions, 1) - 1, 10));
    return hidden.compareTo(LONGEST_HIDDEN) < 0 ? hidden : LONGEST_HIDDEN;
  }

  private static Received received(Message message) {
    Map<MessageSystemAttributeName, String> system = message.attributes();
    return new Received(
        message.messageId(),
        message.body(),
        SqsIntake.names(message.messageAttributes()),
        number(system.get(MessageSystemAttributeName.SENT_TIMESTAMP)).map(Instant::ofEpochMilli),
        number(system.get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT))
            .map(Long::intValue)
            .orElse(1));
  }

  private static Optional<Long> number(@Nullable String text) {
    return Optional.ofNullable(text).filter(t -> t.matches("[0-9]{1,18}")).map(Long::valueOf);
  }
}
