package io.lapwing.node;

import io.lapwing.json.JsonCursor;
import io.lapwing.json.NotJson;
import io.lapwing.node.Imds.ImdsItem;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the maintenance events and spot interruptions in the instance metadata. */
final class ImdsEvents {

  /** An instance has one or two; more are not from EC2. */
  private static final int MAX_EVENTS = 20;

  private static final int MAX_DESCRIPTION = 200;

  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  /** {@code 21 Jan 2019 09:00:43 GMT}; a formatter would load the names of all time zones. */
  private static final Pattern DATE =
      Pattern.compile(
          "(\\d{1,2}) ("
              + MONTHS.replaceAll("(...)(?=.)", "$1|")
              + ") (\\d{4}) (\\d\\d):(\\d\\d):(\\d\\d) GMT");

  private ImdsEvents() {}

  /** {@code events/maintenance/scheduled}: events that are not over, without duplicates. */
  static List<MaintenanceEvent> maintenance(String text) throws IOException {
    List<MaintenanceEvent> events = new ArrayList<>();
    Set<List<String>> seen = new HashSet<>();
    for (Map<String, String> members : records(text)) {
      MaintenanceEvent event = event(members);
      if (!event.over() && seen.add(List.of(event.id(), event.code()))) {
        events.add(event);
      }
    }
    if (events.size() > MAX_EVENTS) {
      throw new NotJson("more events than an instance can have", false);
    }
    return List.copyOf(events);
  }

  /** One object, or an array of objects. */
  private static List<Map<String, String>> records(String text) throws IOException {
    List<Map<String, String>> records = new ArrayList<>();
    try (JsonCursor json = JsonCursor.of(text)) {
      if (json.isArray()) {
        json.array(() -> records.add(json.scalars()));
      } else {
        records.add(json.scalars());
      }
      json.end();
    }
    return records;
  }

  private static MaintenanceEvent event(Map<String, String> members) throws NotJson {
    String id = members.getOrDefault("EventId", "");
    String code = members.getOrDefault("Code", "");
    String state = members.getOrDefault("State", "");
    if (!ImdsItem.isName(code) || !isNameOrEmpty(id) || !isNameOrEmpty(state)) {
      throw new NotJson("an event without a valid code", false);
    }
    String description = members.getOrDefault("Description", "");
    return new MaintenanceEvent(
        id,
        code,
        state,
        instant(members.getOrDefault("NotBefore", "")),
        description.substring(0, Math.min(description.length(), MAX_DESCRIPTION)));
  }

  private static boolean isNameOrEmpty(String text) {
    return text.isEmpty() || ImdsItem.isName(text);
  }

  /** {@code spot/instance-action}. */
  static ImdsSource.SpotInterruption spot(String text) throws IOException {
    List<Map<String, String>> records = records(text);
    Map<String, String> members = records.size() == 1 ? records.get(0) : Map.of();
    String action = members.getOrDefault("action", "");
    Optional<Instant> at = instant(members.getOrDefault("time", ""));
    if (!ImdsItem.isName(action) || at.isEmpty()) {
      throw new NotJson("no action or no time", false);
    }
    return new ImdsSource.SpotInterruption(action, at.get());
  }

  /** Parses either of EC2's two time formats; empty for any other text. */
  static Optional<Instant> instant(String text) {
    Matcher date = DATE.matcher(text);
    try {
      return Optional.of(date.matches() ? dated(date) : Instant.parse(text));
    } catch (DateTimeException neither) {
      return Optional.empty();
    }
  }

  private static Instant dated(Matcher date) {
    return LocalDateTime.of(
            number(date, 3),
            MONTHS.indexOf(date.group(2)) / 3 + 1,
            number(date, 1),
            number(date, 4),
            number(date, 5),
            number(date, 6))
        .toInstant(ZoneOffset.UTC);
  }

  private static int number(Matcher date, int group) {
    return Integer.parseInt(date.group(group));
  }
}
