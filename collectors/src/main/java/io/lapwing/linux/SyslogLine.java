package io.lapwing.linux;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines that name their writer, as syslog and the journal write them.
 *
 * <pre>
 * Feb 23 16:24:18 host kernel: [   12.345678] NVRM: ...       rsyslog, journalctl -o short
 * 2025-02-23T16:24:18.123+00:00 host kernel: NVRM: ...        rsyslog, journalctl -o short-iso
 * Sun 2025-02-23 16:24:18 UTC host kernel: NVRM: ...          journalctl -o short-full
 * 1740327858.123456 host kernel: NVRM: ...                    journalctl -o short-unix
 * [   12.345678] host kernel: NVRM: ...                       journalctl -o short-monotonic
 * 1 2025-02-23T16:24:18.123Z host kernel - - - NVRM: ...      RFC 5424, behind its &lt;3&gt;
 * 2025-02-23T16:24:18.123Z NVRM: ...                          CloudWatch, vector
 * </pre>
 */
final class SyslogLine {

  private static final Pattern MONTH_FIRST =
      pattern("([A-Z][a-z]{2}) ([ \\d]?\\d) (\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?) (.*)");

  private static final String TIME = "\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?";

  private static final String ISO_TIME =
      "(\\d{4}-\\d\\d-\\d\\dT" + TIME + ")(Z|[+-]\\d\\d:?\\d\\d) ";

  private static final Pattern ISO = pattern(ISO_TIME + "(.*)");

  private static final Pattern FULL =
      pattern(
          "[A-Z][a-z]{2} (\\d{4}-\\d\\d-\\d\\d) (" + TIME + ") ([A-Z]\\w{0,7}|[+-]\\d{2,4}) (.*)");

  private static final Pattern UNIX = pattern("(\\d{9,11})\\.(\\d{6}) (.*)");

  /** The process ID is that of a program, which the kernel is not. */
  private static final Pattern RFC_5424 =
      pattern("1 " + ISO_TIME + "\\S+ kernel - \\S+ (?:-|(?:\\[[^\\]]*+\\])++) \ufeff?(.*)");

  private static final Pattern ANY_RFC_5424 = pattern("1 " + ISO_TIME + "\\S+ \\S+ \\S+ \\S+ .*");

  /** A host name does not end with a colon: {@code python[1]: kernel: NVRM} is a forgery. */
  private static final Pattern BY_KERNEL = pattern("\\S*[^\\s:\\]] kernel: (.*)");

  private SyslogLine() {}

  private static Pattern pattern(String regex) {
    return Pattern.compile(regex, Pattern.DOTALL);
  }

  /** Parses a line with the date of a clock in front. */
  static Optional<LogLine> parse(String line, LogDating dating) {
    Matcher month = MONTH_FIRST.matcher(line);
    if (month.matches()) {
      return Optional.of(
          byKernel(
              dating.wall(month.group(1), month.group(2).strip(), month.group(3)), month.group(4)));
    }
    Matcher iso = ISO.matcher(line);
    return iso.matches()
        ? Optional.of(byKernel(LogDating.iso(iso.group(1), iso.group(2)), iso.group(3)))
        : Optional.empty();
  }

  /** Parses the forms that only saved logs have. */
  static Optional<LogLine> saved(String line, LogDating dating) {
    Matcher full = FULL.matcher(line);
    if (full.matches()) {
      return Optional.of(
          byKernel(
              dating.zoned(full.group(1) + "T" + full.group(2), full.group(3)), full.group(4)));
    }
    Matcher unix = UNIX.matcher(line);
    if (unix.matches()) {
      Instant at =
          Instant.ofEpochSecond(
              Long.parseLong(unix.group(1)), Long.parseLong(unix.group(2)) * 1_000);
      return Optional.of(byKernel(Optional.of(at), unix.group(3)));
    }
    Matcher iso = ISO.matcher(line);
    return iso.matches() ? withoutHost(iso).or(() -> parse(line, dating)) : parse(line, dating);
  }

  /** {@code 2025-02-23T16:24:18Z NVRM: ...}: no host name ends with a colon. */
  private static Optional<LogLine> withoutHost(Matcher iso) {
    Optional<Instant> at = LogDating.iso(iso.group(1), iso.group(2));
    LogLine message = message(at, iso.group(3));
    return message.kernel().filter(KernelLogLine::isOfDriver).map(text -> message);
  }

  /** {@code [ 12.345678] host kernel: NVRM: ...}, from what follows the brackets. */
  static Optional<String> monotonic(String hostAndMessage) {
    Matcher kernel = BY_KERNEL.matcher(hostAndMessage);
    return kernel.matches() ? Optional.of(unescaped(kernel.group(1))) : Optional.empty();
  }

  /** What follows {@code <3>}; {@code ofKernel} if that is the kernel's facility. */
  static Optional<LogLine> rfc5424(String line, boolean ofKernel) {
    Matcher kernel = RFC_5424.matcher(line);
    if (ofKernel && kernel.matches()) {
      return Optional.of(message(LogDating.iso(kernel.group(1), kernel.group(2)), kernel.group(3)));
    }
    Matcher any = ANY_RFC_5424.matcher(line);
    return any.matches()
        ? Optional.of(LogLine.at(LogDating.iso(any.group(1), any.group(2)), Optional.empty()))
        : Optional.empty();
  }

  private static LogLine byKernel(Optional<Instant> at, String hostAndMessage) {
    Matcher kernel = BY_KERNEL.matcher(hostAndMessage);
    return kernel.matches() ? message(at, kernel.group(1)) : LogLine.at(at, Optional.empty());
  }

  private static LogLine message(Optional<Instant> at, String message) {
    Optional<LogLine> since = DmesgLine.sinceBoot(message);
    Optional<Duration> elapsed = since.flatMap(LogLine::sinceBoot);
    String text = unescaped(since.flatMap(LogLine::kernel).orElse(message));
    return new LogLine(LogLine.at(at, Optional.empty()).time(), elapsed, Optional.of(text));
  }

  /**
   * rsyslog writes the newline within a message as {@code #012}. Only one before a line of the
   * driver: elsewhere the characters may be a user's.
   */
  private static String unescaped(String text) {
    return text.replace("#012NVRM: ", "\nNVRM: ");
  }
}
