package io.lapwing.agent.events;

/** What a line of the log turned out to be. */
sealed interface LineContent {

  /**
   * An event.
   *
   * @param carried whether it was brought over from an older file
   */
  record Known(Event event, boolean carried) implements LineContent {}

  /** An event of a kind that a newer agent knows. */
  record UnknownKind(String kind) implements LineContent {}

  record Malformed(String why) implements LineContent {}
}
