package io.lapwing.drain.slurm;

/** An answer of Slurm that cannot be parsed. */
public final class UnreadableAnswer extends Exception {

  private static final long serialVersionUID = 1;
  private static final int SHOWN = 120;

  private final String why;

  UnreadableAnswer(String why) {
    super(why);
    this.why = why;
  }

  /** With the beginning of the text in question, without control characters. */
  UnreadableAnswer(String message, String text) {
    this(message + ": " + shown(text));
  }

  /** The problem. */
  public String why() {
    return why;
  }

  static String shown(String text) {
    String printable = text.strip().replaceAll("\\p{Cntrl}", " ");
    return printable.substring(0, Math.min(printable.length(), SHOWN));
  }
}
