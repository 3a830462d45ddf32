package io.lapwing.agent.web;

import java.util.function.Supplier;

/** A record as JSON. */
record NodePage(Supplier<?> node) implements Page {

  @Override
  public Answer answer(Query query) {
    return Answer.ok("application/json", NodeJson.write(node.get()));
  }
}
