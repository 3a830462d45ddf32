package io.lapwing.common.web;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.lapwing.common.log.Log;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import io.lapwing.common.web.ResponseQuota.Ticket;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.ee10.servlet.HttpOutput;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Serves a page with limits and metrics; a failure is a 500 without details. */
record Route(String name, Page page, ResponseQuota quota, RequestMeter meter) implements Handler {
  private static final Log LOG = Log.of(Route.class);

  @Override
  public void handle(Context context) throws IOException {
    meter.started();
    Exchange exchange = new Exchange(context);
    Optional<Ticket> ticket = quota.enter(exchange.host(), exchange.abort());
    if (ticket.isPresent()) {
      reply(answer(context), exchange, ticket.get());
    } else {
      refuse("too many concurrent scrapes; see --web.max-requests", exchange, () -> {});
    }
  }

  private void reply(Answer answer, Exchange exchange, Ticket ticket) throws IOException {
    if (ticket.load(answer.body())) {
      reply(answer, exchange, ticket::release);
    } else {
      refuse("too many slow clients: response memory exhausted", exchange, ticket::release);
    }
  }

  private void refuse(String why, Exchange exchange, Runnable release) throws IOException {
    meter.rejected();
    reply(Answer.text(503, why), exchange, release);
  }

  private void reply(Answer answer, Exchange exchange, Runnable release) throws IOException {
    Reply.send(
        answer,
        exchange,
        quota.timing().deadline(),
        () -> {
          release.run();
          meter.answered(name, answer.status());
        });
  }

  private Answer answer(Context context) {
    try {
      return page.answer(new ContextQuery(context));
    } catch (RuntimeException | Error e) {
      LOG.error("request failed", e, "handler", name);
      return Answer.text(500, "internal error; see the server's log");
    }
  }

  private record ContextQuery(Context context) implements Query {

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
      return new Exchange(context).host();
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

  /** Sends each response in one write. */
  static final class Reply {

    /** Default policy of HTML pages: no scripts, no framing. */
    private static final Map<String, String> HTML =
        Map.of(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'",
            "X-Frame-Options",
            "deny",
            "Referrer-Policy",
            "no-referrer");

    private Reply() {}

    /** Sends without blocking a thread; {@code done} runs once, also if the client disconnects. */
    static void send(Answer answer, Exchange exchange, Duration deadline, Runnable done)
        throws IOException {
      Context context = exchange.context();
      head(answer, context.res());
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
            exchange.limit(sent, deadline);
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

    static void head(Answer answer, HttpServletResponse response) {
      response.setStatus(answer.status());
      response.setContentType(answer.contentType());
      answer.headers().forEach((name, value) -> add(name, value, response));
      add("X-Content-Type-Options", "nosniff", response);
      if (answer.contentType().startsWith("application/json")) {
        add("Cache-Control", "no-store", response);
      }
      if (answer.contentType().startsWith("text/html")) {
        HTML.forEach((name, value) -> add(name, value, response));
      }
      response.setContentLength(answer.body().length);
    }

    /** Keeps the operator's value. */
    private static void add(String name, String value, HttpServletResponse response) {
      if (!response.containsHeader(name)) {
        response.setHeader(name, value);
      }
    }
  }
}
