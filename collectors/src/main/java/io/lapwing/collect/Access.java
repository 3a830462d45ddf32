package io.lapwing.collect;

/** What a source is found to be at the beginning of a round. */
public sealed interface Access {

  Access READY = new Ready();

  /** It can be read. */
  record Ready() implements Access {}

  /** This node has no such thing, and that is no error. */
  record NothingHere(String why) implements Access {}

  /**
   * It should be here and cannot be read.
   *
   * @param reason a word of the small vocabulary of {@link Reading.Failed#reason()}
   */
  record Down(String reason, String why) implements Access {}
}
