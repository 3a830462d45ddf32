package io.lapwing.common.web;

import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;
import org.jspecify.annotations.Nullable;

/**
 * Serves scrapes, which are nearly all requests, before Javalin and the servlets: with less code
 * and memory. Passes on all other requests.
 */
final class ScrapeHandler extends Handler.Wrapper {
  private final Map<String, Route> scrapes;

  /** {@code scrapes}: the routes by path. */
  ScrapeHandler(Map<String, Route> scrapes, Handler others) {
    super(others);
    this.scrapes = Map.copyOf(scrapes);
  }

  /** As the client wrote it: no other spelling is the path of a scrape. */
  private static String path(Request request) {
    return Objects.requireNonNullElse(request.getHttpURI().getPath(), "");
  }

  /** Whether the request is a scrape whose response is ready, or rendered once for many. */
  boolean isScrape(Request request) {
    return request.getHttpURI().getQuery() == null && scrapes.containsKey(path(request));
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Route route = scrapes.get(path(request));
    if (route == null) {
      return super.handle(request, response, callback);
    }
    Exchange exchange = new Exchange(request.getConnectionMetaData());
    route.serve(
        new RequestQuery(request, exchange, parameters(request)),
        exchange,
        (answer, done) -> {
          CompletableFuture<Void> sent = send(answer, response, callback, done);
          exchange.limit(sent, route.quota().timing().deadline());
        });
    return true;
  }

  private static CompletableFuture<Void> send(
      Answer answer, Response response, Callback callback, Runnable done) {
    answer.writeHead(response);
    CompletableFuture<Void> sent = new CompletableFuture<>();
    // Before the callback, which may start the connection's next request.
    Runnable end =
        () -> {
          if (sent.complete(null)) {
            done.run();
          }
        };
    // Jetty omits the body of a response to HEAD.
    response.write(
        true, ByteBuffer.wrap(answer.body()).asReadOnlyBuffer(), Callback.from(end, callback));
    return sent;
  }

  /** Malformed escapes become the replacement character: no page has such a parameter. */
  private static Fields parameters(Request request) {
    String query = request.getHttpURI().getQuery();
    if (query == null) {
      return Fields.EMPTY;
    }
    Fields fields = new Fields(true);
    boolean unused =
        UrlEncoded.decodeUtf8To(query, 0, query.length(), fields::add, true, true, true);
    return fields;
  }

  private record RequestQuery(Request request, Exchange exchange, Fields fields) implements Query {

    @Override
    public @Nullable String header(String name) {
      return request.getHeaders().get(name);
    }

    @Override
    public Set<String> names() {
      return fields().getNames();
    }

    @Override
    public Object client() {
      return exchange.host();
    }

    @Override
    public List<String> parameters(String name) {
      return fields().getValuesOrEmpty(name);
    }
  }
}
