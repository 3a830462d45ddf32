package io.lapwing.agent.http;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.lapwing.agent.log.Log;
import io.lapwing.agent.scrape.RequestMeter;
import java.io.IOException;

/**
 * A page at a path: limited, counted, and answered with 500 and no details when it fails.
 *
 * @param name the handler's name in metrics
 */
record Route(String name, Page page, RequestLimit limit, RequestMeter meter) implements Handler {
  private static final Log LOG = Log.of(Route.class);

  @Override
  public void handle(Context context) throws IOException {
    meter.started();
    if (limit.enter()) {
      reply(answer(context), context, limit::leave);
    } else {
      meter.rejected();
      reply(
          Answer.sentence(503, "too many scrapes at a time; --web.max-requests says how many"),
          context,
          () -> {});
    }
  }

  private void reply(Answer answer, Context context, Runnable leave) throws IOException {
    Reply.send(
        answer,
        context,
        () -> {
          leave.run();
          meter.answered(name, answer.status());
        });
  }

  private Answer answer(Context context) {
    try {
      return page.answer(new ContextQuery(context));
    } catch (RuntimeException | Error e) {
      LOG.error("request failed", e, "handler", name);
      return Answer.sentence(500, "internal error; the agent's log has the details");
    }
  }
}
