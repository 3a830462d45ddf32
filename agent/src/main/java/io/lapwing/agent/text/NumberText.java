package io.lapwing.agent.text;

/** Formats numbers without a needless fraction: 20, not 20.0. */
public final class NumberText {
  private static final double MAX_INTEGER = 1e15;

  private NumberText() {}

  public static String of(double number) {
    boolean whole = number == Math.rint(number) && Math.abs(number) < MAX_INTEGER;
    return whole ? String.valueOf((long) number) : String.valueOf(number);
  }
}
