package io.lapwing.node;

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
 * One question over HTTP with one header. Neither proxies nor redirects are followed, an answer has
 * a size and a time, and whatever goes wrong is an answer too.
 *
 * @param base without a path
 */
record MetadataHttp(URI base, LongSupplier nanoTime) {

  /** It answers from the machine itself, within a few milliseconds. */
  private static final Duration CONNECT = Duration.ofMillis(500);

  private static final Duration READ = Duration.ofSeconds(1);

  private static final int MOST_BYTES = 64 * 1024;

  /**
   * What came back.
   *
   * @param status 0 where nothing did that is HTTP, with the reason in the body
   * @param bytes of the body
   * @param header the one of the answer that has the name of the question's
   */
  record Answer(int status, String body, int bytes, @Nullable String header) {

    static Answer none(String reason) {
      return new Answer(0, reason, 0, null);
    }
  }

  /**
   * Asks and waits for the answer.
   *
   * @param path without a slash before it
   */
  Answer ask(String method, String path, String header, String value) {
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
      return answer(connection, header);
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

  private Answer answer(HttpURLConnection connection, String header) throws IOException {
    int status = connection.getResponseCode();
    if (status != HttpURLConnection.HTTP_OK) {
      return status > 0 ? new Answer(status, "", 0, null) : Answer.none("malformed");
    }
    try (InputStream in = connection.getInputStream()) {
      Answer whole = body(in, connection.getHeaderField(header));
      long announced = connection.getContentLengthLong();
      // The JDK takes a body that is cut off for a whole one.
      return announced == -1 || announced == whole.bytes() || whole.status() == 0
          ? whole
          : Answer.none("io");
    }
  }

  /** In small pieces: one that trickles must not be waited for until it is whole. */
  private Answer body(InputStream in, @Nullable String header) throws IOException {
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
        HttpURLConnection.HTTP_OK, body.toString(StandardCharsets.UTF_8), body.size(), header);
  }
}
