package io.lapwing.agent.events;

import java.nio.file.Path;
import java.util.List;

/**
 * An opened event log and its content.
 *
 * @param log always usable; {@link EventLog#durability} reports whether it reaches a disk
 * @param events oldest first, each once: the last snapshot, and the newest of the lines after it
 * @param incomplete whether the directory or a file could not be read
 * @param malformed lines skipped because they are damaged
 * @param unknownKinds lines skipped because their kind is that of a newer agent
 * @param problems at most 100; unknown kinds are not among them
 */
public record OpenResult(
    EventLog log,
    List<Event> events,
    boolean incomplete,
    long malformed,
    long unknownKinds,
    List<Problem> problems) {

  /**
   * Something that was skipped.
   *
   * @param line from 1; 0 for the file as a whole
   */
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
