package io.lapwing.agent.events;

import java.util.List;

/**
 * An event log, and what was in it.
 *
 * @param log always usable; {@link EventLog#durability} says whether it reaches a disk
 * @param events in the order of their lines, oldest first, each once: the newest, and all that were
 *     brought over from files that are gone
 * @param malformed lines that were skipped because they are damaged
 * @param unknownKinds lines that were skipped because a newer agent wrote them
 * @param problems what was wrong, as far as a hundred; unknown kinds are none
 */
public record OpenResult(
    EventLog log,
    List<Event> events,
    long malformed,
    long unknownKinds,
    List<LogProblem> problems) {

  public OpenResult {
    events = List.copyOf(events);
    problems = List.copyOf(problems);
  }
}
