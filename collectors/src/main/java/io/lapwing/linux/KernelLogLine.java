package io.lapwing.linux;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses one line of a text log; empty if it has no known form. The forms are those of {@link
 * SyslogLine} and {@link DmesgLine}, alone or behind a facility:
 *
 * <pre>
 * kern  :err   : [   12.345678] NVRM: ...    dmesg -x
 * &lt;3&gt;[   12.345678] NVRM: ...                dmesg -r; also before syslog's forms
 * NVRM: ...                                  journalctl -o cat
 * </pre>
 *
 * <p>Only /dev/kmsg, {@code dmesg -x} and {@code journalctl -o export} or {@code json} identify the
 * writer; any program may call itself {@code kernel} in syslog, which keeps such lines out of
 * kern.log only.
 */
final class KernelLogLine {

  private static final Pattern PRIORITY = Pattern.compile("<(\\d{1,4})>(.*)", Pattern.DOTALL);

  private static final Set<String> LEVELS =
      Set.of("emerg", "alert", "crit", "err", "warn", "notice", "info", "debug");

  private static final Pattern FACILITY =
      Pattern.compile("([a-z0-9]+) *:([a-z]+) *: (.*)", Pattern.DOTALL);

  private static final Pattern BARE =
      Pattern.compile("(?:NVRM: |nvidia-nvswitch\\d+: ).*", Pattern.DOTALL);

  private KernelLogLine() {}

  static Optional<LogLine> parse(String line, LogDating dating) {
    Matcher priority = PRIORITY.matcher(line);
    if (priority.matches()) {
      boolean kernel = Integer.parseInt(priority.group(1)) >> 3 == 0;
      Optional<LogLine> rest =
          SyslogLine.rfc5424(priority.group(2), kernel)
              .or(() -> withoutPriority(priority.group(2), dating));
      return kernel ? rest : rest.map(LogLine::ofAnother);
    }
    Matcher facility = FACILITY.matcher(line);
    if (facility.matches() && LEVELS.contains(facility.group(2))) {
      Optional<LogLine> rest = DmesgLine.parse(facility.group(3), dating, true);
      return facility.group(1).equals("kern") ? rest : rest.map(LogLine::ofAnother);
    }
    return withoutPriority(line, dating);
  }

  private static Optional<LogLine> withoutPriority(String line, LogDating dating) {
    return SyslogLine.saved(line, dating)
        .or(() -> DmesgLine.parse(line, dating, false).map(KernelLogLine::monotonic))
        .or(
            () ->
                Optional.of(DmesgLine.withoutCaller(line))
                    .filter(KernelLogLine::isOfDriver)
                    .map(LogLine::timeless));
  }

  /** {@code journalctl -o short-monotonic} names host and writer behind the seconds since boot. */
  private static LogLine monotonic(LogLine line) {
    return line.kernel()
        .flatMap(SyslogLine::monotonic)
        .map(text -> new LogLine(line.time(), line.sinceBoot(), Optional.of(text)))
        .orElse(line);
  }

  static boolean isOfDriver(String text) {
    return BARE.matcher(text).matches();
  }

  /** The kernel's message in a line of a syslog file that is being written. */
  static Optional<KernelRecord> syslog(String line, LogDating dating) {
    return SyslogLine.parse(line, dating)
        .flatMap(
            parsed ->
                parsed
                    .kernel()
                    .map(
                        text ->
                            new KernelRecord(
                                OptionalLong.empty(),
                                parsed.time() instanceof LogLine.Time.Wall wall
                                    ? Optional.of(wall.at())
                                    : Optional.empty(),
                                text)));
  }
}
