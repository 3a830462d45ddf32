package io.lapwing.agent.web;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.lapwing.agent.log.Log;
import io.lapwing.agent.metrics.RequestMeter;
import java.io.IOException;

/**
 * A page at a path: limited, counted, and answered with 500 and no details when it fails.
 *
 * @param name the handler's name in metrics
 * @param room of answers that are being sent
 */
record Route(String name, Page page, RequestLimit limit, ResponseBudget room, RequestMeter meter)
    implements Handler {
  private static final Log LOG = Log.of(Route.class);

  @Override
  public void handle(Context context) throws IOException {
    meter.started();
    if (limit.enter()) {
      reply(answer(context), context);
    } else {
      refuse("too many scrapes at a time; --web.max-requests says how many", context, () -> {});
    }
  }

  private void reply(Answer answer, Context context) throws IOException {
    if (room.enter(answer.body())) {
      reply(
          answer,
          context,
          () -> {
            room.leave(answer.body());
            limit.leave();
          });
    } else {
      refuse("too many answers are being read slowly", context, limit::leave);
    }
  }

  private void refuse(String why, Context context, Runnable leave) throws IOException {
    meter.rejected();
    reply(Answer.sentence(503, why), context, leave);
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
