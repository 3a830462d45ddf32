package io.lapwing.drain.intake.agents;

import io.lapwing.drain.http.FirstBytes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * With the client of the JDK. Its own timeout ends with the headers, so that the deadline is kept
 * here: a server that sends byte by byte holds nothing longer.
 */
public final class JdkHttpGet implements HttpGet {

  private final HttpClient.Builder builder;
  private final Duration deadline;
  private final int mostBytes;
  private Optional<HttpClient> client = Optional.empty();

  /**
   * @param tls authorities and client certificate; Java's defaults if empty
   * @param executor for the client's tasks
   */
  public JdkHttpGet(Optional<SSLContext> tls, Duration deadline, int mostBytes, Executor executor) {
    this.deadline = deadline;
    this.mostBytes = mostBytes;
    this.builder =
        HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .proxy(NO_PROXY)
            .connectTimeout(deadline)
            .executor(executor);
    tls.ifPresent(builder::sslContext);
  }

  /** Made for the first request: it reads all authorities that Java trusts. */
  private synchronized HttpClient client() {
    HttpClient made = client.orElseGet(builder::build);
    client = Optional.of(made);
    return made;
  }

  private static final ProxySelector NO_PROXY =
      new ProxySelector() {
        @Override
        public List<Proxy> select(URI uri) {
          return List.of(Proxy.NO_PROXY);
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException e) {
          // The request reports it.
        }
      };

  @Override
  public byte[] get(URI uri, Optional<String> authorization) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(deadline);
    authorization.ifPresent(value -> request.header("Authorization", value));
    CompletableFuture<HttpResponse<byte[]>> response =
        client()
            .sendAsync(
                request.header("Accept", "application/json").build(),
                FirstBytes.atMost(mostBytes + 1));
    try {
      HttpResponse<byte[]> known = response.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
      if (known.statusCode() != 200) {
        throw new IOException("status " + known.statusCode());
      }
      if (known.body().length > mostBytes) {
        throw new IOException("more than " + mostBytes + " bytes");
      }
      return known.body();
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + deadline.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      response.cancel(true);
    }
  }

  private static IOException failure(ExecutionException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String message = cause.getMessage();
    return new IOException(message == null ? cause.getClass().getSimpleName() : message, cause);
  }
}
