package io.lapwing.agent.web;

import java.util.function.Supplier;

/** 200 when the page is worth scraping, else 503 with the reason. */
record ReadyPage(Supplier<Readiness> readiness) implements Page {

  @Override
  public Answer answer(Query query) {
    Readiness now = readiness.get();
    return now instanceof Readiness.NotReady not
        ? Answer.sentence(503, "not ready: " + not.reason())
        : Answer.sentence(200, "ready");
  }
}
