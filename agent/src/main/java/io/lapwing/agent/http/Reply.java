package io.lapwing.agent.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.ee10.servlet.HttpOutput;
import org.eclipse.jetty.util.Callback;

/** Sends answers, whose bytes are ready, each in one write. */
final class Reply {

  private Reply() {}

  /**
   * Sends an answer without holding a thread while a slow client reads.
   *
   * @param done runs once, when all is sent or the client is gone
   */
  static void send(Answer answer, Context context, Runnable done) throws IOException {
    head(answer, context.res());
    if (context.method().equals(HandlerType.HEAD)) {
      done.run();
      return;
    }
    HttpOutput output = (HttpOutput) context.res().getOutputStream();
    CompletableFuture<Void> sent = new CompletableFuture<>();
    // A client that went away is no error of ours: both ends of sending are the same end.
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
    answer.headers().forEach(response::setHeader);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentLength(answer.body().length);
  }
}
