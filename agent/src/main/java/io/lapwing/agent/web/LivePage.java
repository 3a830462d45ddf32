package io.lapwing.agent.web;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.web.LiveSnapshot.LiveRow;
import io.lapwing.common.web.Page;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import io.lapwing.json.JsonWriter;
import io.lapwing.json.JsonWriter.Members;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The data that {@code /ui} polls, as one line of JSON:
 *
 * <pre>
 * {"at": "2026-11-20T05:18:02.120Z", "hostname": "node-7", "version": "0.1.0", "simulated": false,
 *  "health": {...}, "events": {"kept": 312, "last": "2026-11-20T05:17:40Z"},
 *  "troubles": [{"source": "gpu5", "collector": "", "state": "hung", "why": "in gpu_ecc",
 *                "hung_seconds": 42.1}],
 *  "gpus": [{"gpu": "0", "UUID": "GPU-...", "up": 1, "sm_active": 0.93, ...}], ...}
 * </pre>
 *
 * <p>{@code health} is the report of {@code /api/v1/health}; {@code events} changes with {@code
 * /api/v1/events}. With {@code ?rates} a row has {@code per_second}: the increase of its counters
 * between their last two readings.
 */
record LivePage(
    Supplier<WebContent.AgentInfo> agent,
    Supplier<HealthReport> health,
    Supplier<List<Event>> events,
    Supplier<LiveSnapshot> live)
    implements Page {

  private static final double MILLIS = 1e3;

  /** The parameter with which rows have {@code per_second}: for the first poll of a browser. */
  private static final String RATES = "rates";

  @Override
  public Answer answer(Query query) {
    boolean rates = query.names().contains(RATES);
    LiveSnapshot now = live.get();
    WebContent.AgentInfo info = agent.get();
    HealthReport report = health.get();
    List<Event> kept = events.get();
    Members page =
        json -> {
          json.member("at", now.at())
              .member("hostname", info.hostname())
              .member("version", info.version())
              .member("simulated", info.simulated() || report.simulated())
              .member("health", HealthJson.of(report))
              .member("events", kept(kept))
              .member("troubles", now.problems().stream().map(LivePage::problem));
          now.tables()
              .forEach(
                  (name, rows) -> json.member(name, rows.stream().map(row -> row(row, rates))));
        };
    return Answer.ok("application/json", JsonWriter.line(page));
  }

  private static Members kept(List<Event> events) {
    return json ->
        json.member("kept", events.size())
            .member("last", events.isEmpty() ? null : events.get(events.size() - 1).at());
  }

  private static Members problem(LiveSnapshot.Problem problem) {
    return json ->
        json.member("source", problem.source())
            .member("collector", problem.collector())
            .member("state", problem.state())
            .member("why", problem.why())
            .member("hung_seconds", problem.hungFor().toMillis() / MILLIS);
  }

  private static Members row(LiveRow row, boolean rates) {
    return json -> {
      row.texts().forEach(json::member);
      row.counted().ifPresent(at -> json.member("counted_at", number(at.toEpochMilli() / MILLIS)));
      row.numbers().forEach((name, value) -> json.member(name, number(value)));
      row.groups().forEach((name, group) -> json.member(name, numbers(group)));
      if (rates && !row.rates().isEmpty()) {
        json.member("per_second", numbers(row.rates()));
      }
    };
  }

  private static Members numbers(Map<String, Double> group) {
    return json -> group.forEach((name, value) -> json.member(name, number(value)));
  }

  /** A whole number without a fraction or exponent takes a third less space. */
  private static Object number(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1L << 53;
    return whole ? (Object) (long) value : (Object) value;
  }
}
