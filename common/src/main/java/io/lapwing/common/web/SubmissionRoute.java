package io.lapwing.common.web;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.lapwing.common.log.Log;
import io.lapwing.common.web.Page.Answer;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.ee10.servlet.ServletContextResponse;

/**
 * Serves POST requests on threads of their own: an action may wait, and bodies may be slow.
 *
 * @param mostBytes of a body
 */
record SubmissionRoute(
    String name,
    int mostBytes,
    Submission.Action action,
    ExecutorService threads,
    RequestMeter meter)
    implements Handler {
  private static final Log LOG = Log.of(SubmissionRoute.class);

  @Override
  public void handle(Context context) {
    meter.started();
    try {
      CompletableFuture<Answer> answer =
          CompletableFuture.supplyAsync(() -> answer(context), threads);
      context.future(() -> answer.thenAccept(known -> reply(known, context)));
    } catch (RejectedExecutionException full) {
      meter.rejected();
      reply(Answer.text(503, "too many requests that change something; try again"), context);
    }
  }

  private Answer answer(Context context) {
    try {
      byte[] body = context.req().getInputStream().readNBytes(mostBytes + 1);
      if (body.length > mostBytes) {
        return action.tooLarge(mostBytes);
      }
      Object user = context.req().getAttribute(AuthHandler.USER);
      return action.answer(
          new Submission(user == null ? "" : user.toString(), headers(context), body));
    } catch (IOException e) {
      return Answer.text(400, "the request could not be read: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.error("request failed", e, "handler", name);
      return Answer.text(500, "internal error; see the server's log");
    }
  }

  private static Map<String, String> headers(Context context) {
    Map<String, String> headers = new HashMap<>();
    for (String name : Collections.list(context.req().getHeaderNames())) {
      headers.put(name.toLowerCase(Locale.ROOT), context.req().getHeader(name));
    }
    return headers;
  }

  private void reply(Answer answer, Context context) {
    answer.writeHead(ServletContextResponse.getServletContextResponse(context.res()));
    context.result(answer.body());
    meter.answered(name, answer.status());
  }
}
