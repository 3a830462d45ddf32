package io.lapwing.agent.events;

/** A line is no event. The message says why and quotes nothing but names of members. */
final class MalformedLine extends Exception {
  private static final long serialVersionUID = 1;

  MalformedLine(String why) {
    super(why);
  }
}
