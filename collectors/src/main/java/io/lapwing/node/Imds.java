package io.lapwing.node;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The instance metadata service of EC2, version 2: a token, which a {@code PUT} gets, goes with
 * every question. Neither proxies nor redirects are followed, an answer has a size and a time, and
 * whatever goes wrong is an answer too. Used by one thread.
 */
final class Imds {

  /** It answers from the machine itself, within a few milliseconds. */
  private static final Duration CONNECT = Duration.ofMillis(500);

  private static final Duration READ = Duration.ofSeconds(1);

  private static final int MOST_BYTES = 64 * 1024;

  /** The longest that it grants: six hours. */
  private static final long TOKEN_SECONDS = 21_600;

  private static final String TOKEN = "latest/api/token";
  private static final String TTL_HEADER = "X-aws-ec2-metadata-token-ttl-seconds";
  private static final String TOKEN_HEADER = "X-aws-ec2-metadata-token";

  private final URI base;
  private final LongSupplier nanoTime;
  private @Nullable Token token;

  private record Token(String text, long until) {}

  /** What came back. A status of 0 stands for no answer, with the reason in the body. */
  private record Answer(int status, String body, int bytes, @Nullable String ttl) {

    static Answer none(String reason) {
      return new Answer(0, reason, 0, null);
    }
  }

  /**
   * Nothing is asked yet.
   *
   * @param base {@code http://169.254.169.254}, without a path
   */
  Imds(URI base, LongSupplier nanoTime) {
    this.base = base;
    this.nanoTime = nanoTime;
  }

  URI base() {
    return base;
  }

  /** Gets a token, unless the one that is there holds for a while; the reading is its text. */
  Reading<String> open() {
    Token held = token;
    if (held != null && held.until() - nanoTime.getAsLong() > 0) {
      return Reading.of(held.text());
    }
    Answer answer = ask("PUT", TOKEN, TTL_HEADER, String.valueOf(TOKEN_SECONDS));
    if (answer.status() != HttpURLConnection.HTTP_OK) {
      return failed(TOKEN, answer);
    }
    String text = answer.body().strip();
    if (!text.matches("[!-~]{1,1024}")) {
      return new Reading.Failed<>(TOKEN, "malformed");
    }
    token = new Token(text, nanoTime.getAsLong() + lifetime(answer.ttl()).toNanos());
    return Reading.of(text);
  }

  /** How long a token is used: it is renewed a while before it ends. */
  private static Duration lifetime(@Nullable String ttl) {
    boolean told = ttl != null && ttl.matches("\\d{1,5}");
    long seconds = told ? Math.min(Long.parseLong(ttl), TOKEN_SECONDS) : TOKEN_SECONDS;
    return Duration.ofSeconds(seconds * 9 / 10);
  }

  /**
   * The text of an item.
   *
   * @param path below {@code latest/meta-data/}
   * @return missing where there is no such item
   */
  Reading<String> get(String path) {
    Reading<String> reading = getOnce(path);
    // The service may have forgotten the token before its time; a second refusal is meant.
    return token == null && reading.failure().filter("refused"::equals).isPresent()
        ? getOnce(path)
        : reading;
  }

  private Reading<String> getOnce(String path) {
    Reading<String> opened = open();
    if (!(opened instanceof Reading.Present<String> present)) {
      return opened;
    }
    Answer answer = ask("GET", "latest/meta-data/" + path, TOKEN_HEADER, present.value());
    if (answer.status() == HttpURLConnection.HTTP_OK) {
      return Reading.of(answer.body().strip());
    }
    if (answer.status() == HttpURLConnection.HTTP_NOT_FOUND) {
      return new Reading.Missing<>(path);
    }
    if (answer.status() == HttpURLConnection.HTTP_UNAUTHORIZED) {
      token = null;
    }
    return failed(path, answer);
  }

  /** Whether there was any answer; counts a failure. */
  static boolean answered(Reading<String> reading, SampleSink sink) {
    if (reading instanceof Reading.Failed<String> failed) {
      sink.failed(failed.question(), failed.reason());
      return false;
    }
    return true;
  }

  private static Reading<String> failed(String question, Answer answer) {
    String reason =
        switch (answer.status()) {
          case 0 -> answer.body();
          case -1 -> "malformed";
          case HttpURLConnection.HTTP_UNAUTHORIZED, HttpURLConnection.HTTP_FORBIDDEN -> "refused";
          default -> "bad_status";
        };
    return new Reading.Failed<>(question, reason);
  }

  private Answer ask(String method, String path, String header, String value) {
    HttpURLConnection connection = null;
    try {
      connection =
          (HttpURLConnection) base.resolve("/" + path).toURL().openConnection(Proxy.NO_PROXY);
      connection.setRequestMethod(method);
      connection.setRequestProperty(header, value);
      // A connection that is kept would have a thread that waits for its end.
      connection.setRequestProperty("Connection", "close");
      connection.setConnectTimeout((int) CONNECT.toMillis());
      connection.setReadTimeout((int) READ.toMillis());
      connection.setInstanceFollowRedirects(false);
      connection.setUseCaches(false);
      return answer(connection);
    } catch (SocketTimeoutException late) {
      return Answer.none("timeout");
    } catch (ConnectException | NoRouteToHostException nobody) {
      return Answer.none("unreachable");
    } catch (IOException broken) {
      return Answer.none("io");
    } catch (RuntimeException nonsense) {
      // What the JDK throws over headers that it cannot make sense of.
      return Answer.none("malformed");
    } finally {
      if (connection != null) {
        connection.disconnect();
      }
    }
  }

  private Answer answer(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    if (status != HttpURLConnection.HTTP_OK) {
      return new Answer(status, "", 0, null);
    }
    try (InputStream in = connection.getInputStream()) {
      Answer whole = body(in, connection.getHeaderField(TTL_HEADER));
      long announced = connection.getContentLengthLong();
      // The JDK takes a body that is cut off for a whole one.
      return announced == -1 || announced == whole.bytes() || whole.status() == 0
          ? whole
          : Answer.none("io");
    }
  }

  /** In small pieces: one that trickles must not be waited for until it is whole. */
  private Answer body(InputStream in, @Nullable String ttl) throws IOException {
    long deadline = nanoTime.getAsLong() + READ.toNanos();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] piece = new byte[4096];
    for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
      body.write(piece, 0, read);
      if (body.size() > MOST_BYTES) {
        return Answer.none("too_long");
      }
      if (nanoTime.getAsLong() - deadline > 0) {
        return Answer.none("timeout");
      }
    }
    return new Answer(
        HttpURLConnection.HTTP_OK, body.toString(StandardCharsets.UTF_8), body.size(), ttl);
  }
}
