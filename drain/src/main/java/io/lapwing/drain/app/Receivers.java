package io.lapwing.drain.app;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.intake.AlertIntake;
import io.lapwing.drain.intake.AlertmanagerWebhook;
import io.lapwing.drain.intake.FiringAlerts;
import io.lapwing.drain.intake.NodeResolver;
import io.lapwing.drain.intake.OperatorRequests;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.agents.AgentReader;
import io.lapwing.drain.intake.agents.HealthPoller;
import io.lapwing.drain.intake.aws.HttpSubscriptions;
import io.lapwing.drain.intake.aws.SnsEndpoint;
import io.lapwing.drain.intake.aws.SnsSignatures;
import io.lapwing.drain.intake.aws.SqsQueue;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** All ways by which requests come. */
record Receivers(
    RequestIntake intake,
    AlertIntake alerts,
    AlertmanagerWebhook alertmanager,
    OperatorRequests operators,
    Optional<SnsEndpoint> sns) {
  private static final Duration SQS_WAIT = Duration.ofSeconds(20);
  private static final Duration SQS_READ = Duration.ofSeconds(30);
  private static final Duration SQS_PAUSE = Duration.ofSeconds(15);
  private static final Duration OLDEST = Duration.ofHours(1);
  private static final int POLLED_AT_ONCE = 8;

  static Receivers of(
      DrainSettings settings, RequestIntake intake, NodeResolver nodes, FiringAlerts firing) {
    AlertIntake alerts =
        new AlertIntake(
            intake,
            nodes,
            settings.get(DrainOptions.CLUSTERS),
            settings.get(DrainOptions.DEFAULT_URGENCY),
            firing);
    return new Receivers(
        intake,
        alerts,
        new AlertmanagerWebhook(alerts),
        new OperatorRequests(intake, nodes),
        settings.get(DrainOptions.SNS_TOPICS).isEmpty()
            ? Optional.empty()
            : Optional.of(sns(settings, alerts)));
  }

  private static SnsEndpoint sns(DrainSettings settings, AlertIntake alerts) {
    SdkHttpClient http = UrlConnectionHttpClient.create();
    return new SnsEndpoint(
        alerts,
        settings.get(DrainOptions.SNS_TOPICS),
        new SnsSignatures(settings.get(DrainOptions.SNS_TOPICS), http),
        new HttpSubscriptions(http));
  }

  /** Starts to receive from the queue and to poll the agents, if configured. */
  void start(
      DrainSettings settings,
      AgentReader agents,
      InputWatch watch,
      Supplier<Collection<NodeName>> nodes,
      Supplier<Duration> freshness) {
    settings
        .get(DrainOptions.SQS_QUEUE)
        .ifPresent(queue -> daemon("sqs", () -> receive(settings, queue, watch)));
    settings
        .get(DrainOptions.AGENT_POLL)
        .ifPresent(every -> daemon("poller", () -> poll(every, agents, watch, nodes, freshness)));
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void receive(DrainSettings settings, URI url, InputWatch watch) {
    SqsClient client =
        SqsClient.builder()
            .region(Region.of(settings.get(DrainOptions.AWS_REGION)))
            .httpClient(UrlConnectionHttpClient.builder().socketTimeout(SQS_READ).build())
            .build();
    SqsQueue queue =
        new SqsQueue(
            client,
            url,
            SQS_WAIT,
            alerts,
            settings.get(DrainOptions.SNS_TOPICS),
            OLDEST,
            Clock.systemUTC());
    while (!Thread.currentThread().isInterrupted()) {
      try {
        int unused = queue.poll();
        watch.queueRead(Optional.empty());
      } catch (SdkException e) {
        watch.queueRead(Optional.of(url + ": " + e.getMessage()));
        pause(SQS_PAUSE);
      }
    }
  }

  private void poll(
      Duration every,
      AgentReader agents,
      InputWatch watch,
      Supplier<Collection<NodeName>> nodes,
      Supplier<Duration> freshness) {
    try (HealthPoller poller = new HealthPoller(agents, intake, POLLED_AT_ONCE, freshness)) {
      while (!Thread.currentThread().isInterrupted()) {
        watch.polled(poller.poll(nodes.get(), Clock.systemUTC()));
        pause(every);
      }
    }
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }
}
