package io.lapwing.agent.cli;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.web.HealthJson;
import io.lapwing.agent.web.HealthJson.UnreadableHealth;
import io.lapwing.common.web.security.ClientAccess;
import io.lapwing.http.HttpClient;
import io.lapwing.http.HttpFailure;
import io.lapwing.http.HttpHead;
import io.lapwing.http.HttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads a page of an agent. {@code total} limits everything, including name resolution. */
record AgentClient(Duration connect, Duration read, Duration total, ClientAccess access) {

  /** An agent responds from memory: a slower one has a problem. */
  public static final AgentClient QUICK =
      new AgentClient(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(5));

  private static final int UNAUTHORIZED = 401;
  private static final int MISDIRECTED = 421;
  private static final int BUSY_STATUS = 503;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  /** More than any report needs. */
  private static final int MAX_BYTES = 8 << 20;

  AgentClient(Duration connect, Duration read, Duration total) {
    this(connect, read, total, ClientAccess.OPEN);
  }

  /** As this, but with credentials. */
  public AgentClient with(ClientAccess access) {
    return new AgentClient(connect, read, total, access);
  }

  /** The content that is requested: {@code noun} is its name in error messages. */
  record Wanted(String path, String noun, BodyReader reader) {

    static final Wanted HEALTH =
        new Wanted(AgentAddress.HEALTH, "a health report", AgentClient::health);

    /** Any other page, as text. */
    static Wanted page(String path) {
      return new Wanted(path, path, AgentClient::body);
    }

    private AgentReply.Unusable insteadOf(int status) {
      return new AgentReply.Unusable("HTTP " + status + " instead of " + noun);
    }

    /** Other clients use all of the agent's response memory, which lasts at most seconds. */
    private AgentReply busy() {
      return insteadOf(BUSY_STATUS);
    }
  }

  interface BodyReader {
    AgentReply read(byte[] body, Optional<Instant> sent);
  }

  public AgentReply ask(AgentAddress address, Wanted wanted) throws InterruptedException {
    FutureTask<AgentReply> request = new FutureTask<>(() -> send(address, wanted));
    Thread thread = new Thread(request, "ask-agent");
    thread.setDaemon(true);
    thread.start();
    try {
      return request.get(total.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new AgentReply.Unusable("no response within " + seconds(total));
    } catch (ExecutionException e) {
      return new AgentReply.Unusable(String.valueOf(e.getCause()));
    }
  }

  /** Retries while the agent is busy, within the limit of one response. */
  private AgentReply send(AgentAddress address, Wanted wanted) throws InterruptedException {
    long end = System.nanoTime() + read.toNanos();
    Duration pause = FIRST_PAUSE;
    AgentReply reply = send(address, wanted, read);
    while (reply.equals(wanted.busy())) {
      Duration left = Duration.ofNanos(end - System.nanoTime()).minus(pause);
      if (left.isNegative() || left.isZero()) {
        return reply;
      }
      Thread.sleep(pause.toMillis());
      pause = pause.multipliedBy(2);
      reply = send(address, wanted, left);
    }
    return reply;
  }

  private AgentReply send(AgentAddress address, Wanted wanted, Duration limit) {
    try {
      HttpRequest request = access.secured(HttpRequest.get(address.page(wanted.path())));
      return HttpClient.of(connect, limit)
          .send(
              address.socket().map(request::over).orElse(request),
              (head, body) -> reply(wanted, head, body));
    } catch (HttpFailure failure) {
      return switch (failure.reason()) {
        case HttpFailure.UNREACHABLE ->
            new AgentReply.Unreachable(String.valueOf(failure.getMessage()));
        case HttpFailure.TIMEOUT -> new AgentReply.Unusable("no response within " + seconds(read));
        case HttpFailure.UNTRUSTED -> new AgentReply.Unusable(untrusted(failure));
        default -> new AgentReply.Unusable("unusable response: " + failure.getMessage());
      };
    }
  }

  /** The JDK has no type for a peer that answers in plain text. */
  private static String untrusted(HttpFailure failure) {
    String why = String.valueOf(failure.getMessage());
    return why.contains("unrecognized SSL message")
        ? "it does not use TLS; the address begins with http://"
        : "untrusted TLS certificate (" + why + "); set tls_config.ca_file in --http.config.file";
  }

  private static AgentReply reply(Wanted wanted, HttpHead head, InputStream body)
      throws IOException {
    if (head.status() == UNAUTHORIZED) {
      return new AgentReply.Unusable(
          "HTTP 401: user and password required; set basic_auth in --http.config.file");
    }
    if (head.status() == MISDIRECTED) {
      return new AgentReply.Unusable(
          "HTTP 421: the agent does not know this host name; use an address, or add the name to"
              + " its --web.allowed-hosts");
    }
    if (head.status() != HttpHead.OK) {
      return wanted.insteadOf(head.status());
    }
    return wanted.reader().read(HttpClient.whole(body, MAX_BYTES), sent(head));
  }

  private static AgentReply body(byte[] body, Optional<Instant> sent) {
    return new AgentReply.Body(new String(body, StandardCharsets.UTF_8));
  }

  private static AgentReply health(byte[] json, Optional<Instant> sent) {
    try {
      return new AgentReply.Health(
          HealthJson.read(json), new String(json, StandardCharsets.UTF_8), sent);
    } catch (UnreadableHealth e) {
      return new AgentReply.Unusable("unreadable health report: " + e.getMessage());
    }
  }

  private static Optional<Instant> sent(HttpHead head) {
    return head.field("date").flatMap(AgentClient::instant);
  }

  private static Optional<Instant> instant(String date) {
    try {
      return Optional.of(
          ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException malformed) {
      return Optional.empty();
    }
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() / 1000.0 + " s";
  }

  sealed interface AgentReply {

    /** A health report with its JSON as received and the agent's Date header, if any. */
    record Health(HealthReport report, String json, Optional<Instant> sent) implements AgentReply {}

    /** Any other page. */
    record Body(String text) implements AgentReply {}

    /** No agent listens at the address. */
    record Unreachable(String why) implements AgentReply {}

    /**
     * The server there may belong to another user; it was not queried, or its answer is ignored.
     */
    record Forged(String why) implements AgentReply {}

    /** The server there does not send the requested content. */
    record Unusable(String why) implements AgentReply {}
  }
}
