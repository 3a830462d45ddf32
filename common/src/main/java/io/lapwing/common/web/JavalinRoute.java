package io.lapwing.common.web;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.ee10.servlet.HttpOutput;
import org.eclipse.jetty.ee10.servlet.ServletContextResponse;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Serves a route to requests that Javalin routed. */
record JavalinRoute(Route route) implements Handler {

  @Override
  public void handle(Context context) throws IOException {
    Exchange exchange = Exchange.of(context);
    route.serve(
        new ContextQuery(context, exchange),
        exchange,
        (answer, done) -> send(answer, context, exchange, done));
  }

  private void send(Answer answer, Context context, Exchange exchange, Runnable done)
      throws IOException {
    answer.writeHead(ServletContextResponse.getServletContextResponse(context.res()));
    if (context.method().equals(HandlerType.HEAD)) {
      done.run();
      return;
    }
    HttpOutput output = (HttpOutput) context.res().getOutputStream();
    CompletableFuture<Void> sent = new CompletableFuture<>();
    // A disconnected client is not an error: success and failure are handled alike.
    Runnable end =
        () -> {
          if (sent.complete(null)) {
            done.run();
          }
        };
    context.future(
        () -> {
          write(answer, output, Callback.from(end, failure -> end.run()));
          exchange.limit(sent, route.quota().timing().deadline());
          return sent;
        });
  }

  private static void write(Answer answer, HttpOutput output, Callback callback) {
    try {
      output.sendContent(ByteBuffer.wrap(answer.body()).asReadOnlyBuffer(), callback);
    } catch (RuntimeException e) {
      callback.failed(e);
    }
  }

  private record ContextQuery(Context context, Exchange exchange) implements Query {

    @Override
    public @Nullable String header(String name) {
      return context.req().getHeader(name);
    }

    @Override
    public Set<String> names() {
      return context.queryString() == null ? Set.of() : context.queryParamMap().keySet();
    }

    @Override
    public Object client() {
      return exchange.host();
    }

    @Override
    public String path(String name) {
      return context.pathParamMap().getOrDefault(name, "");
    }

    /** Without a query string nothing is decoded. */
    @Override
    public List<String> parameters(String name) {
      return context.queryString() == null ? List.of() : context.queryParams(name);
    }
  }
}
