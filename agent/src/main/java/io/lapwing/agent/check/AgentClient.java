package io.lapwing.agent.check;

import io.lapwing.agent.http.HealthJson;
import io.lapwing.agent.http.UnreadableHealth;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Asks an agent how its node is. Never takes longer than its patience, whatever answers: names that
 * do not resolve and answers that drip in are given up too.
 *
 * @param connect how long a connection may take
 * @param read how long the answer may pause
 * @param patience for everything together
 * @param access what opens the agent's door
 */
public record AgentClient(Duration connect, Duration read, Duration patience, Access access) {

  /** An agent answers from memory: who takes longer than this is not well. */
  public static final AgentClient QUICK =
      new AgentClient(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(5));

  public AgentClient(Duration connect, Duration read, Duration patience) {
    this(connect, read, patience, Access.OPEN);
  }

  /** The same with something that opens the agent's door. */
  public AgentClient with(Access access) {
    return new AgentClient(connect, read, patience, access);
  }

  /** More than any report has. */
  private static final int MOST_BYTES = 8 << 20;

  /** Asks once. */
  public AgentReply ask(AgentAddress address) throws InterruptedException {
    FutureTask<AgentReply> asking = new FutureTask<>(() -> askOnce(address));
    Thread thread = new Thread(asking, "ask-agent");
    thread.setDaemon(true);
    thread.start();
    try {
      return asking.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new AgentReply.Nonsense("no answer within " + seconds(patience));
    } catch (ExecutionException e) {
      return new AgentReply.Nonsense(reason(e.getCause()));
    }
  }

  private AgentReply askOnce(AgentAddress address) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) address.health().toURL().openConnection();
    connection.setConnectTimeout((int) connect.toMillis());
    connection.setReadTimeout((int) read.toMillis());
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    access.open(connection);
    try {
      connection.connect();
    } catch (SSLException e) {
      return new AgentReply.Nonsense(
          "no TLS that is believed ("
              + reason(e)
              + "); check --http.config.file names whom to believe");
    } catch (IOException e) {
      return new AgentReply.Nobody(reason(e));
    }
    try {
      return answer(connection);
    } catch (SocketTimeoutException e) {
      return new AgentReply.Nonsense("no answer within " + seconds(read));
    } finally {
      connection.disconnect();
    }
  }

  private static AgentReply answer(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
      return new AgentReply.Nonsense(
          "HTTP 401: it wants a user and a password; check --http.config.file has them");
    }
    if (status != HttpURLConnection.HTTP_OK) {
      return new AgentReply.Nonsense(
          status < 0 ? "an answer that is no HTTP" : "HTTP " + status + " instead of its health");
    }
    byte[] body;
    try (InputStream in = connection.getInputStream()) {
      body = in.readNBytes(MOST_BYTES);
    }
    try {
      return new AgentReply.Health(
          HealthJson.read(body), new String(body, StandardCharsets.UTF_8), sent(connection));
    } catch (UnreadableHealth e) {
      return new AgentReply.Nonsense("an answer that is not understood: " + e.getMessage());
    }
  }

  private static Optional<Instant> sent(HttpURLConnection connection) {
    long date = connection.getDate();
    return date == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(date));
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() / 1000.0 + " s";
  }

  private static String reason(@Nullable Throwable thrown) {
    String message = thrown == null ? null : thrown.getMessage();
    return message == null ? String.valueOf(thrown) : message;
  }
}
