package io.lapwing.common.web;

import io.lapwing.common.log.Log;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import io.lapwing.common.web.ResponseQuota.Ticket;
import java.io.IOException;
import java.util.Optional;

/** Serves a page with limits and metrics; a failure is a 500 without details. */
record Route(String name, Page page, ResponseQuota quota, RequestMeter meter) {
  private static final Log LOG = Log.of(Route.class);

  /** Sends a response in one write, without blocking a thread. */
  @FunctionalInterface
  interface Output {

    /** {@code done} runs once, also if the client disconnects. */
    void send(Answer answer, Runnable done) throws IOException;
  }

  void serve(Query query, Exchange exchange, Output output) throws IOException {
    meter.started();
    Optional<Ticket> ticket = quota.enter(exchange.host(), exchange.abort());
    if (ticket.isPresent()) {
      reply(answer(query), ticket.get(), output);
    } else {
      refuse("too many concurrent scrapes; see --web.max-requests", () -> {}, output);
    }
  }

  private void reply(Answer answer, Ticket ticket, Output output) throws IOException {
    if (ticket.load(answer.body())) {
      reply(answer, ticket::release, output);
    } else {
      refuse("too many slow clients: response memory exhausted", ticket::release, output);
    }
  }

  private void refuse(String why, Runnable release, Output output) throws IOException {
    meter.rejected();
    reply(Answer.text(503, why), release, output);
  }

  private void reply(Answer answer, Runnable release, Output output) throws IOException {
    output.send(
        answer,
        () -> {
          release.run();
          meter.answered(name, answer.status());
        });
  }

  private Answer answer(Query query) {
    try {
      return page.answer(query);
    } catch (RuntimeException | Error e) {
      LOG.error("request failed", e, "handler", name);
      return Answer.text(500, "internal error; see the server's log");
    }
  }
}
