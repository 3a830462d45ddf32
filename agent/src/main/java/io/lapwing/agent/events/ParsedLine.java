package io.lapwing.agent.events;

/** What a line of the log turned out to be. */
sealed interface ParsedLine {

  /**
   * An event.
   *
   * @param carried whether it was brought over from an older file
   * @param complete whether with it and those that follow all that mattered was brought over
   * @param more whether it is nothing without the next one: they were appended together
   */
  record Known(Event event, boolean carried, boolean complete, boolean more)
      implements ParsedLine {

    /** One that stands for itself. */
    Known(Event event, boolean carried) {
      this(event, carried, false, false);
    }
  }

  /** An event of a kind that a newer agent knows. */
  record UnknownKind(String kind, boolean more) implements ParsedLine {}

  record Malformed(String why) implements ParsedLine {}
}
