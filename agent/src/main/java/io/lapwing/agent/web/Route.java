package io.lapwing.agent.web;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.lapwing.agent.log.Log;
import io.lapwing.agent.metrics.RequestMeter;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serves a page with limits and metrics. A failure is answered with 500 without details.
 *
 * @param name the handler label in metrics
 * @param budget memory of responses in flight
 */
record Route(String name, Page page, RequestLimit limit, ResponseBudget budget, RequestMeter meter)
    implements Handler {
  private static final Log LOG = Log.of(Route.class);

  @Override
  public void handle(Context context) throws IOException {
    meter.started();
    if (limit.tryAcquire()) {
      reply(answer(context), context);
    } else {
      refuse("too many concurrent scrapes; see --web.max-requests", context, () -> {});
    }
  }

  private void reply(Answer answer, Context context) throws IOException {
    if (budget.tryAcquire(answer.body())) {
      reply(
          answer,
          context,
          () -> {
            budget.release(answer.body());
            limit.release();
          });
    } else {
      refuse("too many slow clients: response memory exhausted", context, limit::release);
    }
  }

  private void refuse(String why, Context context, Runnable release) throws IOException {
    meter.rejected();
    reply(Answer.text(503, why), context, release);
  }

  private void reply(Answer answer, Context context, Runnable release) throws IOException {
    Reply.send(
        answer,
        context,
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
      return Answer.text(500, "internal error; see the agent's log");
    }
  }

  /** Adapts a Javalin request. */
  private record ContextQuery(Context context) implements Query {

    @Override
    public @Nullable String header(String name) {
      return context.req().getHeader(name);
    }

    @Override
    public Set<String> names() {
      return context.queryString() == null ? Set.of() : context.queryParamMap().keySet();
    }

    /** Without a query string nothing is decoded. */
    @Override
    public List<String> parameters(String name) {
      return context.queryString() == null ? List.of() : context.queryParams(name);
    }
  }
}
