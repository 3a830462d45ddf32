package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Subject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** When each verdict last changed, also across restarts of the agent. Used by one thread. */
final class VerdictHistory {

  private final Map<Subject, Event.VerdictChanged> last = new HashMap<>();

  VerdictHistory(List<Event> history) {
    for (Event event : history) {
      if (event instanceof Event.VerdictChanged changed) {
        last.put(Subject.parse(changed.subject()), changed);
      }
    }
  }

  /** The change; empty where verdict and action are as before. */
  Optional<Event> update(Instant now, Subject subject, Verdicts.Ruling ruling) {
    Event.VerdictChanged before = last.get(subject);
    String verdict = ruling.verdict().text();
    String action = ruling.action().text();
    if (before != null && before.to().equals(verdict) && before.action().equals(action)) {
      return Optional.empty();
    }
    String from = before == null ? "" : before.to();
    Event.VerdictChanged changed =
        new Event.VerdictChanged(now, subject.text(), from, verdict, action);
    last.put(subject, changed);
    return Optional.of(changed);
  }

  Instant since(Subject subject, Instant otherwise) {
    Event.VerdictChanged changed = last.get(subject);
    return changed == null ? otherwise : changed.at();
  }

  Map<Subject, Instant> all() {
    Map<Subject, Instant> since = new HashMap<>();
    last.forEach((subject, changed) -> since.put(subject, changed.at()));
    return since;
  }
}
