package io.lapwing.agent.web;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventExcerpt;
import io.lapwing.agent.events.EventJson;
import io.lapwing.agent.events.EventKind;
import io.lapwing.common.config.DurationText;
import io.lapwing.common.web.Page;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import io.lapwing.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The event log as JSON, newest last: {@code {"matching": 312, "events": [...]}}. {@code matching}
 * is the total, of which the newest are returned; unless kinds are requested, events that users can
 * cause take a quarter of them at most.
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
    List<Event> newest = some.newest(matching);
    byte[] body =
        JsonWriter.page(
            json ->
                json.member("matching", matching.size())
                    .member("events", newest.stream().map(EventJson::of)));
    return Answer.ok("application/json", body);
  }

  /** The {@code since}, {@code limit} and {@code kind} of a URL. */
  sealed interface EventFilter {

    int DEFAULT_LIMIT = 1000;

    int MAX_LIMIT = 10_000;

    List<String> PARAMETERS = List.of("since", "limit", "kind");

    /**
     * A valid filter: {@link Instant#MIN} for all times, no kinds for all, the newest {@code
     * limit}.
     */
    record Some(Instant since, int limit, Set<String> kinds) implements EventFilter {

      boolean matches(Event event) {
        return !event.at().isBefore(since)
            && (kinds.isEmpty() ? !isBaseline(event) : kinds.contains(EventKind.of(event).text()));
      }

      /** The log has the first reading of each GPU, also if no row is remapped. */
      private static boolean isBaseline(Event event) {
        return event instanceof Event.RowsRemapped rows
            && rows.correctable() == 0
            && rows.uncorrectable() == 0;
      }

      List<Event> newest(List<Event> matching) {
        return kinds.isEmpty()
            ? EventExcerpt.newest(matching, limit)
            : matching.subList(Math.max(0, matching.size() - limit), matching.size());
      }
    }

    record Wrong(String sentence) implements EventFilter {}

    static EventFilter of(Query query, Instant now) {
      for (String name : query.names()) {
        if (!PARAMETERS.contains(name)) {
          return new Wrong(
              "unknown parameter '" + name + "'; supported: " + String.join(", ", PARAMETERS));
        }
      }
      List<String> since = query.parameters("since");
      List<String> limit = query.parameters("limit");
      if (since.size() > 1 || limit.size() > 1) {
        return new Wrong((since.size() > 1 ? "since" : "limit") + " is given more than once");
      }
      Optional<Instant> from =
          since.isEmpty() ? Optional.of(Instant.MIN) : since(since.get(0), now);
      if (from.isEmpty()) {
        return new Wrong(
            "since: '"
                + since.get(0)
                + "' is neither a time such as 2026-11-20T03:00:00Z nor a duration such as 90m, 12h or 7d");
      }
      Optional<Integer> max = limit.isEmpty() ? Optional.of(DEFAULT_LIMIT) : limit(limit.get(0));
      if (max.isEmpty()) {
        return new Wrong(
            "limit: '" + limit.get(0) + "' is not a whole number from 1 to " + MAX_LIMIT);
      }
      return kinds(query.parameters("kind"))
          .<EventFilter>map(Wrong::new)
          .orElseGet(() -> new Some(from.get(), max.get(), Set.copyOf(query.parameters("kind"))));
    }

    /** The problem with the kinds, if any. */
    private static Optional<String> kinds(List<String> kinds) {
      List<String> known = EventKind.all();
      return kinds.stream()
          .filter(kind -> !known.contains(kind))
          .findFirst()
          .map(kind -> "unknown kind '" + kind + "'; supported: " + String.join(", ", known));
    }

    private static Optional<Instant> since(String text, Instant now) {
      Optional<Duration> ago = DurationText.read(text);
      if (ago.isPresent()) {
        return Optional.of(now.minus(ago.get()));
      }
      try {
        return Optional.of(Instant.parse(text));
      } catch (DateTimeParseException e) {
        return Optional.empty();
      }
    }

    private static Optional<Integer> limit(String text) {
      if (!text.matches("[0-9]{1,5}")) {
        return Optional.empty();
      }
      int limit = Integer.parseInt(text);
      return limit >= 1 && limit <= MAX_LIMIT ? Optional.of(limit) : Optional.empty();
    }
  }
}
