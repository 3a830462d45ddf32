package io.lapwing.agent.events;

import java.nio.file.Path;

/**
 * Something in the log that could not be used as it stood.
 *
 * @param line from 1; 0 for the file as a whole
 */
public record LogProblem(Path file, long line, String what) {

  /** {@code /var/lib/lapwing/events.jsonl:17: at is missing}. */
  @Override
  public String toString() {
    return file + (line == 0 ? "" : ":" + line) + ": " + what;
  }
}
