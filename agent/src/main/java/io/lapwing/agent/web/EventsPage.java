package io.lapwing.agent.web;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventJson;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * The event log as JSON, newest last: {@code {"matching": 312, "events": [...]}}. Above the limit
 * only the newest are returned; {@code matching} is the total.
 *
 * @param events the retained events, oldest first
 */
record EventsPage(Supplier<List<Event>> events, InstantSource clock) implements Page {

  @Override
  public Answer answer(Query query) {
    EventFilter filter = EventFilter.of(query, clock.instant());
    if (filter instanceof EventFilter.Wrong wrong) {
      return Answer.text(400, wrong.sentence());
    }
    EventFilter.Some some = (EventFilter.Some) filter;
    List<Event> matching = events.get().stream().filter(some::matches).toList();
    int first = Math.max(0, matching.size() - some.limit());
    return Answer.ok(
        "application/json", write(matching.size(), matching.subList(first, matching.size())));
  }

  private byte[] write(int matching, List<Event> shown) {
    return AsciiJson.page(
        json -> {
          json.writeStartObject();
          json.writeNumberField("matching", matching);
          json.writeArrayFieldStart("events");
          for (Event event : shown) {
            EventJson.write(event, json);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }
}
