package io.lapwing.agent.web;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.ee10.servlet.HttpOutput;
import org.eclipse.jetty.util.Callback;

/** Sends each response in one write. */
final class Reply {

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

  /**
   * Sends a response without blocking a thread while a slow client reads.
   *
   * @param done runs once, after the response was sent or the client disconnected
   */
  static void send(Answer answer, Context context, Runnable done) throws IOException {
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

  private static void head(Answer answer, HttpServletResponse response) {
    response.setStatus(answer.status());
    response.setContentType(answer.contentType());
    answer.headers().forEach((name, value) -> add(name, value, response));
    add("X-Content-Type-Options", "nosniff", response);
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
