package io.lapwing.collect;

/** The state of a source at the start of a round. */
public sealed interface Access {

  Access READY = new Ready();

  record Ready() implements Access {}

  /** This node has no such device; not an error. */
  record NothingHere(String why) implements Access {}

  /**
   * Expected on this node but not readable; {@code reason} is as {@link Reading.Failed#reason()}.
   */
  record Down(String reason, String why) implements Access {}
}
