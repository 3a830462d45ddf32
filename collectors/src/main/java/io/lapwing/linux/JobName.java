package io.lapwing.linux;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Job names that processes choose, on a node whose scheduler numbers its jobs. */
public final class JobName {

  /**
   * Cannot be taken for a number: a letter follows the digits, if it begins with some, and all
   * characters are visible ones of ASCII.
   */
  private static final Pattern OWN = Pattern.compile("[0-9]*[A-Za-z][A-Za-z0-9_.+:@/=-]*");

  /** With the number of an array's task or of a component. */
  private static final Pattern NUMBERED = Pattern.compile("([0-9]{1,20})(?:[_+.].*)?");

  private JobName() {}

  /** Whether it cannot be mistaken for a job id of Slurm. */
  public static boolean isNoId(String name) {
    return OWN.matcher(name).matches();
  }

  /** The number of a name such as {@code 4711}, {@code 4711_3} or {@code 4711+0}. */
  public static Optional<String> number(String name) {
    Matcher numbered = NUMBERED.matcher(name);
    return numbered.matches() ? Optional.of(numbered.group(1)) : Optional.empty();
  }
}
