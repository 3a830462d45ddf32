package io.lapwing.agent.events;

/** A line of the log. */
sealed interface ParsedLine {

  /**
   * An event.
   *
   * @param carried whether it belongs to the snapshot at the start of a file
   * @param complete whether it is the first of such a snapshot
   * @param more whether it counts only with the next line: they were appended together
   */
  record Known(Event event, boolean carried, boolean complete, boolean more) implements ParsedLine {

    /** An event that no other line belongs to. */
    Known(Event event, boolean carried) {
      this(event, carried, false, false);
    }
  }

  /** An event of a kind that only a newer agent knows. */
  record UnknownKind(String kind, boolean more) implements ParsedLine {}

  record Malformed(String why) implements ParsedLine {}
}
