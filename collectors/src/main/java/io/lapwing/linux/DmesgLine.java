package io.lapwing.linux;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The forms of dmesg, without the facility of {@code -x} or {@code -r}.
 *
 * <pre>
 * [   12.345678] NVRM: ...                            with [   12.345678][  T123] or ] [  T123], CONFIG_PRINTK_CALLER
 * [   12.345678 &lt;    0.000012&gt;] NVRM: ...             -d; also [&lt;    0.000012&gt;], -d -t
 * [Sun Feb 23 16:24:18 2025] NVRM: ...                -T
 * [Feb23 16:24] NVRM: ... and [  +0.000012] NVRM: ... -H, -e: a new minute, and the time since the line before
 * 2025-02-23T16:24:18,123456+00:00 NVRM: ...          --time-format iso
 * </pre>
 */
final class DmesgLine {

  private static final String SINCE_LAST = "< *(\\d{1,9}\\.\\d{1,9})>";

  /**
   * The thread or CPU (CONFIG_PRINTK_CALLER); dmesg writes a space before it, the kernel does not.
   */
  private static final String CALLER = "(?: ?\\[ *[TC]\\d{1,10}\\])?";

  private static final String END = "(?: " + SINCE_LAST + ")?\\]" + CALLER + " ?(.*)";

  private static final Pattern SINCE_BOOT = pattern("\\[ *(\\d{1,12}\\.\\d{1,9})" + END);

  private static final Pattern WALL =
      pattern("\\[[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\\d{1,2}) (\\d\\d:\\d\\d:\\d\\d) (\\d{4})" + END);

  private static final Pattern MINUTE =
      pattern("\\[([A-Z][a-z]{2})([ \\d]\\d) (\\d\\d:\\d\\d)" + END);

  private static final Pattern AFTER_LAST = pattern("\\[ *\\+(\\d{1,9}\\.\\d{1,9})" + END);

  private static final Pattern ONLY_SINCE_LAST =
      pattern("\\[" + SINCE_LAST + "\\]" + CALLER + " ?(.*)");

  /** The comma distinguishes it from the times of syslog and of journalctl. */
  private static final Pattern ISO =
      pattern(
          "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d),(\\d{1,9})(Z|[+-]\\d\\d:?\\d\\d)"
              + CALLER
              + " (.*)");

  private static final Pattern TIMELESS = pattern(CALLER + " ?(.*)");

  /** {@code systemd[1]: }: the prefix of what user space writes into the kernel's log. */
  private static final Pattern OF_A_PROCESS = pattern("[^:]*\\[\\d+\\]: .*");

  private DmesgLine() {}

  private static Pattern pattern(String regex) {
    return Pattern.compile(regex, Pattern.DOTALL);
  }

  /**
   * Parses a line; {@code sure} if its facility identifies the kernel as the writer. Otherwise what
   * starts as the lines of a process do is another program's.
   */
  static Optional<LogLine> parse(String line, LogDating dating, boolean sure) {
    Optional<LogLine> parsed = parse(line, dating);
    return sure
        ? parsed.or(() -> Optional.of(LogLine.timeless(withoutCaller(line))))
        : parsed.map(
            one ->
                one.kernel().filter(text -> OF_A_PROCESS.matcher(text).matches()).isPresent()
                    ? one.ofAnother()
                    : one);
  }

  /** The message of {@code dmesg -t}. */
  static String withoutCaller(String line) {
    Matcher timeless = TIMELESS.matcher(line);
    return line.startsWith("[") && timeless.matches() ? timeless.group(1) : line;
  }

  private static Optional<LogLine> parse(String line, LogDating dating) {
    if (!line.startsWith("[")) {
      return iso(line);
    }
    Matcher since = SINCE_BOOT.matcher(line);
    if (since.matches()) {
      return Optional.of(LogLine.sinceBoot(seconds(since.group(1)), since.group(3)));
    }
    Matcher last = AFTER_LAST.matcher(line);
    if (last.matches()) {
      return Optional.of(LogLine.sinceLast(seconds(last.group(1)), last.group(3)));
    }
    return wall(line, dating).or(() -> onlySinceLast(line));
  }

  private static Optional<LogLine> wall(String line, LogDating dating) {
    Matcher wall = WALL.matcher(line);
    if (wall.matches()) {
      int year = Integer.parseInt(wall.group(4));
      return written(dating.wall(wall.group(1), wall.group(2), wall.group(3), year), wall.group(6));
    }
    Matcher minute = MINUTE.matcher(line);
    return minute.matches()
        ? written(
            dating.wall(minute.group(1), minute.group(2).strip(), minute.group(3)), minute.group(5))
        : Optional.empty();
  }

  private static Optional<LogLine> onlySinceLast(String line) {
    Matcher only = ONLY_SINCE_LAST.matcher(line);
    return only.matches()
        ? Optional.of(LogLine.sinceLast(seconds(only.group(1)), only.group(2)))
        : Optional.empty();
  }

  private static Optional<LogLine> iso(String line) {
    Matcher iso = ISO.matcher(line);
    return iso.matches()
        ? written(LogDating.iso(iso.group(1) + "." + iso.group(2), iso.group(3)), iso.group(4))
        : Optional.empty();
  }

  private static Optional<LogLine> written(Optional<Instant> at, String text) {
    return Optional.of(LogLine.at(at, Optional.of(text)));
  }

  /** The seconds since boot before a message of syslog: {@code [ 12.345678] NVRM: ...}. */
  static Optional<LogLine> sinceBoot(String message) {
    Matcher since = SINCE_BOOT.matcher(message);
    return since.matches()
        ? Optional.of(LogLine.sinceBoot(seconds(since.group(1)), since.group(3)))
        : Optional.empty();
  }

  /** From {@code 12345.678901}. */
  private static Duration seconds(String text) {
    int point = text.indexOf('.');
    String nanos = (text.substring(point + 1) + "000000000").substring(0, 9);
    return Duration.ofSeconds(Long.parseLong(text.substring(0, point)), Long.parseLong(nanos));
  }
}
