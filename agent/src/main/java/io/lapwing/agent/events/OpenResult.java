package io.lapwing.agent.events;

import java.nio.file.Path;
import java.util.List;

/**
 * An opened log, always usable, its events (oldest first, each once), the counts of damaged lines
 * and of kinds of newer agents, and at most 100 problems without the latter.
 */
public record OpenResult(
    EventLog log, List<Event> events, long malformed, long unknownKinds, List<Problem> problems) {

  /** Something that was skipped; line 0 is the file as a whole. */
  public record Problem(Path file, long line, String what) {

    /** {@code /var/lib/lapwing/events.jsonl:17: at is missing}. */
    @Override
    public String toString() {
      return file + (line == 0 ? "" : ":" + line) + ": " + what;
    }
  }

  public OpenResult {
    events = List.copyOf(events);
    problems = List.copyOf(problems);
  }
}
