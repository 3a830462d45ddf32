package io.lapwing.agent.config;

/** Numbers as people write them: 20 and not 20.0. */
public final class NumberText {
  private static final double LARGEST_WRITTEN_OUT = 1e15;

  private NumberText() {}

  public static String of(double number) {
    boolean whole = number == Math.rint(number) && Math.abs(number) < LARGEST_WRITTEN_OUT;
    return whole ? String.valueOf((long) number) : String.valueOf(number);
  }
}
