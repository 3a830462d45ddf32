package io.lapwing.simulator;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One message for the kernel log.
 *
 * @param priority facility * 8 + level: 4 is a kernel warning, 12 a warning of a user program
 * @param text lines after a newline become continuation lines of the record
 */
public record KernelLine(int priority, String text) {
  static final int WARNING = 4;
  static final int INFO = 6;
  private static final Pattern WITH_PRIORITY = Pattern.compile("(?s)<(\\d{1,4})>(.*)");

  /** In the format of writes to /dev/kmsg, {@code <12>text}; plain text is a kernel warning. */
  public static KernelLine of(String written) {
    Matcher matcher = WITH_PRIORITY.matcher(written);
    return matcher.matches()
        ? new KernelLine(Integer.parseInt(matcher.group(1)), matcher.group(2))
        : new KernelLine(WARNING, written);
  }

  static KernelLine info(String text) {
    return new KernelLine(INFO, text);
  }
}
