package io.lapwing.agent.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.function.Supplier;

/** A record as JSON. Jackson is loaded by the first request, not at start. */
record NodePage(Supplier<?> node) implements Page {

  @Override
  public Answer answer(Query query) {
    try {
      return Answer.ok("application/json", NodeJson.write(node.get()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the node's record cannot be written as JSON", e);
    }
  }
}
