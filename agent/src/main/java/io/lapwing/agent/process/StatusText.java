package io.lapwing.agent.process;

/** One line that a terminal shows as it is. */
final class StatusText {

  private static final int MOST = 200;

  private StatusText() {}

  /** Without what would begin another line of the message, or another colour on the terminal. */
  static String of(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= MOST ? line : line.substring(0, MOST - 3) + "...";
  }
}
