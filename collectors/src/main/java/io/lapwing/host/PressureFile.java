package io.lapwing.host;

import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One file of {@code /proc/pressure}:
 *
 * <pre>
 * some avg10=0.22 avg60=0.17 avg300=1.11 total=58761459
 * full avg10=0.22 avg60=0.16 avg300=1.08 total=58464525
 * </pre>
 *
 * @param totals one per line; {@code cpu} has no {@code full} before Linux 5.13
 */
record PressureFile(List<Total> totals) {

  private static final Pattern LINE = Pattern.compile("(some|full) .*\\btotal=(\\d{1,18})");

  private static final double MICROS = 1e6;

  PressureFile {
    totals = List.copyOf(totals);
  }

  /**
   * Stall time since the boot.
   *
   * @param tasks {@code some} tasks were stalled, or all that were not idle: {@code full}
   */
  record Total(String tasks, double seconds) {}

  static PressureFile parse(KernelText text) throws ParseFailure {
    List<Total> totals = new ArrayList<>();
    for (int i = 0; i < text.lines().size(); i++) {
      Matcher line = LINE.matcher(text.lines().get(i));
      if (!line.matches()) {
        throw text.failure(i, "not a pressure line with a total");
      }
      totals.add(new Total(line.group(1), Long.parseLong(line.group(2)) / MICROS));
    }
    if (totals.isEmpty()) {
      throw text.failure(0, "empty");
    }
    return new PressureFile(totals);
  }
}
