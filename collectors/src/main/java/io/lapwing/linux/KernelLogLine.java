package io.lapwing.linux;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses one line of a text log as a kernel message; empty if another program wrote it.
 *
 * <pre>
 * Feb 23 16:24:18 host kernel: [   12.345678] NVRM: ...       syslog, journalctl -o short
 * 2025-02-23T16:24:18.123+00:00 host kernel: NVRM: ...        syslog, journalctl -o short-iso
 * [   12.345678] NVRM: ...                                    dmesg; with [Sun Feb 23 16:24:18 2025], dmesg -T
 * kern  :err   : [   12.345678] NVRM: ...                     dmesg -x
 * &lt;3&gt;[   12.345678] NVRM: ...                                 dmesg -r
 * NVRM: ...                                                   journalctl -o cat
 * </pre>
 *
 * <p>Only /dev/kmsg, {@code dmesg -x} and {@code journalctl -o export} identify the writer; any
 * program may call itself {@code kernel} in syslog, which keeps such lines out of kern.log only.
 */
final class KernelLogLine {

  private static final Pattern PRIORITY = Pattern.compile("<(\\d{1,4})>(.*)", Pattern.DOTALL);

  private static final Set<String> LEVELS =
      Set.of("emerg", "alert", "crit", "err", "warn", "notice", "info", "debug");

  private static final Pattern FACILITY =
      Pattern.compile("([a-z0-9]+) *:([a-z]+) *: (.*)", Pattern.DOTALL);

  private static final Pattern MONTH_FIRST =
      Pattern.compile(
          "([A-Z][a-z]{2}) ([ \\d]?\\d) (\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?) (.*)",
          Pattern.DOTALL);

  private static final Pattern ISO =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?)"
              + "(Z|[+-]\\d\\d:?\\d\\d) (.*)",
          Pattern.DOTALL);

  /** A host name does not end with a colon: {@code python[1]: kernel: NVRM} is a forgery. */
  private static final Pattern BY_KERNEL =
      Pattern.compile("\\S*[^\\s:\\]] kernel: (.*)", Pattern.DOTALL);

  /** The second bracket is the thread or CPU (CONFIG_PRINTK_CALLER). */
  private static final Pattern SINCE_BOOT =
      Pattern.compile("\\[ *(\\d{1,12}\\.\\d{1,9})\\](?:\\[ *[TC]\\d+\\])? ?(.*)", Pattern.DOTALL);

  private static final Pattern WALL =
      Pattern.compile(
          "\\[[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\\d{1,2}) (\\d\\d:\\d\\d:\\d\\d) (\\d{4})\\]"
              + "(?:\\[ *[TC]\\d+\\])? ?(.*)",
          Pattern.DOTALL);

  /** {@code systemd[1]: }: the prefix of what user space writes into the kernel's log. */
  private static final Pattern OF_A_PROCESS =
      Pattern.compile("[^:]*\\[\\d+\\]: .*", Pattern.DOTALL);

  private static final Pattern BARE =
      Pattern.compile("(?:NVRM: |nvidia-nvswitch\\d+: ).*", Pattern.DOTALL);

  private KernelLogLine() {}

  static Optional<KernelRecord> parse(String line, LogDating dating) {
    Matcher priority = PRIORITY.matcher(line);
    if (priority.matches()) {
      return Integer.parseInt(priority.group(1)) >> 3 == 0
          ? withoutPriority(priority.group(2), dating)
          : Optional.empty();
    }
    Matcher facility = FACILITY.matcher(line);
    if (facility.matches() && LEVELS.contains(facility.group(2))) {
      return facility.group(1).equals("kern")
          ? dmesg(facility.group(3), dating, true)
          : Optional.empty();
    }
    return withoutPriority(line, dating);
  }

  private static Optional<KernelRecord> withoutPriority(String line, LogDating dating) {
    return MONTH_FIRST.matcher(line).matches() || ISO.matcher(line).matches()
        ? syslog(line, dating)
        : dmesg(line, dating, false);
  }

  /** Parses a line that names its writer, as syslog and the journal write it. */
  static Optional<KernelRecord> syslog(String line, LogDating dating) {
    Matcher month = MONTH_FIRST.matcher(line);
    if (month.matches()) {
      return byKernel(month.group(4))
          .map(
              text ->
                  record(
                      dating.wall(month.group(1), month.group(2).strip(), month.group(3)), text));
    }
    Matcher iso = ISO.matcher(line);
    return iso.matches()
        ? byKernel(iso.group(3))
            .map(text -> record(LogDating.iso(iso.group(1), iso.group(2)), text))
        : Optional.empty();
  }

  private static Optional<String> byKernel(String hostAndMessage) {
    Matcher kernel = BY_KERNEL.matcher(hostAndMessage);
    return kernel.matches() ? Optional.of(withoutSeconds(kernel.group(1))) : Optional.empty();
  }

  private static String withoutSeconds(String message) {
    Matcher since = SINCE_BOOT.matcher(message);
    return since.matches() ? since.group(2) : message;
  }

  /** Parses a line of dmesg; {@code sure} if it identifies the kernel as its writer. */
  private static Optional<KernelRecord> dmesg(String line, LogDating dating, boolean sure) {
    Matcher since = SINCE_BOOT.matcher(line);
    if (since.matches()) {
      return unlessOfAProcess(record(dating.sinceBoot(since.group(1)), since.group(2)), sure);
    }
    Matcher wall = WALL.matcher(line);
    if (wall.matches()) {
      int year = Integer.parseInt(wall.group(4));
      return unlessOfAProcess(
          record(dating.wall(wall.group(1), wall.group(2), wall.group(3), year), wall.group(5)),
          sure);
    }
    return sure || BARE.matcher(line).matches()
        ? Optional.of(record(Optional.empty(), line))
        : Optional.empty();
  }

  private static Optional<KernelRecord> unlessOfAProcess(KernelRecord record, boolean sure) {
    return sure || !OF_A_PROCESS.matcher(record.text()).matches()
        ? Optional.of(record)
        : Optional.empty();
  }

  private static KernelRecord record(Optional<Instant> at, String text) {
    return new KernelRecord(OptionalLong.empty(), at, text);
  }
}
