package io.lapwing.node;

/** A text that is no JSON, or not of the shape that was asked for. */
final class NotJson extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * A fault at one place.
   *
   * @param at the character's number, from 0
   * @param why what is wrong there, without the text itself: it may be anything
   */
  NotJson(int at, String why) {
    super("at " + at + ": " + why);
  }
}
