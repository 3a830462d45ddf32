package io.lapwing.agent.web;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventJson;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * What happened, as JSON, newest last: {@code {"matching": 312, "events": [...]}}. Of more than the
 * limit the newest are shown; {@code matching} says how many there are.
 *
 * @param events all that are kept, oldest first
 */
record EventsPage(Supplier<List<Event>> events, InstantSource clock) implements Page {

  @Override
  public Answer answer(Query query) {
    EventFilter filter = EventFilter.of(query, clock.instant());
    if (filter instanceof EventFilter.Wrong wrong) {
      return Answer.sentence(400, wrong.sentence());
    }
    EventFilter.Some some = (EventFilter.Some) filter;
    List<Event> matching = events.get().stream().filter(some::wants).toList();
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
