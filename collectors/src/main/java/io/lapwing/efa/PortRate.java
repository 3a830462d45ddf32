package io.lapwing.efa;

import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The speed of a port in the kernel's format: {@code 100 Gb/sec (4X EDR)}. */
final class PortRate {

  private static final Pattern FORM = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?) Gb/sec\\b.*");
  private static final double BYTES_PER_GIGABIT = 1e9 / 8;

  private PortRate() {}

  /** In bytes per second; empty for any other text. */
  static OptionalDouble parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? OptionalDouble.of(Double.parseDouble(form.group(1)) * BYTES_PER_GIGABIT)
        : OptionalDouble.empty();
  }
}
