package io.lapwing.lustre;

import io.lapwing.linux.KernelNumber;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import io.lapwing.metric.Metric;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code stats} file of any client from 2.10 on. An absent counter was zero or truncated.
 *
 * <pre>
 * snapshot_time             1690000000.123456789 secs.nsecs
 * req_waittime              98123 samples [usecs] 41 1203344 81233445 900112233445
 * getxattr_hits             300 samples [reqs]
 * readpage not consecutive  12 samples [pages]
 * </pre>
 *
 * A counter without samples has no line, so an absent name was zero or truncated.
 *
 * @param counters in file order, by {@link Counter#name}
 */
record StatsFile(Map<String, Counter> counters) {

  private static final Pattern HEADER =
      Pattern.compile("(snapshot|start|elapsed)_time:? +[0-9.]{1,40} \\(?secs\\.nsecs\\)?");

  /**
   * Names may contain spaces, so a line is split where the samples start. The quantifier of the
   * figures is possessive: a backtracking one recurses, and a long line would exhaust the stack.
   */
  private static final Pattern COUNTER =
      Pattern.compile(
          "(?<name>[A-Za-z][A-Za-z0-9_ ./-]{0,63}?) +(?<count>\\d{1,40}) samples"
              + " \\[(?<unit>[a-z/]{1,12})\\](?<rest>(?: -?\\d{1,40})*+) *");

  private static final Pattern NOT_IN_NAMES = Pattern.compile("[^a-z0-9]+");

  /** Index in min, max, sum, sum of squares. */
  private static final int SUM = 2;

  /** More than twice the counters of any version; bounds the series of a malformed file. */
  private static final int MAX_COUNTERS = 256;

  /**
   * One line. Minimum, maximum and sum of squares are left out: they are since the file was
   * cleared, which no query can use.
   *
   * @param name in snake case
   * @param count number of samples
   * @param unit of the sum, as of 2.15: {@code usecs}, {@code bytes}, {@code pages}, {@code reqs}
   *     ...
   * @param sum of the samples in that unit; empty for a line that only counts
   */
  record Counter(String name, double count, String unit, OptionalDouble sum) {

    private static final double MICROSECONDS = 1e6;

    boolean isTime() {
      return unit.equals("usecs") || unit.equals("secs");
    }

    /** Divide a sum by this to get seconds, bytes or pieces. */
    double perBaseUnit() {
      return unit.equals("usecs") ? MICROSECONDS : 1;
    }
  }

  StatsFile {
    counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
  }

  static StatsFile parse(KernelText text) throws ParseFailure {
    if (text.lines().isEmpty() || !HEADER.matcher(text.lines().get(0)).matches()) {
      throw text.failure(0, "not a snapshot_time");
    }
    Map<String, Counter> counters = new LinkedHashMap<>();
    Matcher form = COUNTER.matcher("");
    for (int i = 1; i < text.lines().size(); i++) {
      String line = text.lines().get(i);
      if (!isHeader(line)) {
        Counter counter = counter(text, i, line, form.reset(line));
        if (counters.put(counter.name(), counter) != null || counters.size() > MAX_COUNTERS) {
          throw text.failure(i, "a duplicate counter, or too many");
        }
      }
    }
    return new StatsFile(counters);
  }

  /** Most lines do not match, which is cheap to check without a matcher. */
  private static boolean isHeader(String line) {
    return line.contains("_time") && HEADER.matcher(line).matches();
  }

  private static Counter counter(KernelText text, int index, String line, Matcher form)
      throws ParseFailure {
    if (!form.matches()) {
      throw text.failure(index, "not a counter with samples");
    }
    OptionalDouble count = KernelNumber.unsigned(line, form.start("count"), form.end("count"));
    if (count.isEmpty()) {
      throw text.failure(index, "not a 64-bit count");
    }
    return new Counter(
        name(form.group("name")),
        count.getAsDouble(),
        unit(form.group("unit")),
        sum(text, index, line, form.start("rest"), form.end("rest")));
  }

  /** Of figures that each follow one space. */
  private static OptionalDouble sum(KernelText text, int index, String line, int from, int to)
      throws ParseFailure {
    if (from == to) {
      return OptionalDouble.empty();
    }
    int at = from;
    for (int figure = 0; figure < SUM; figure++) {
      at = end(line, at + 1, to);
      if (at == to) {
        throw text.failure(index, "a minimum without a sum");
      }
    }
    OptionalDouble sum = KernelNumber.unsigned(line, at + 1, end(line, at + 1, to));
    if (sum.isEmpty()) {
      throw text.failure(index, "not a 64-bit sum");
    }
    return sum;
  }

  /** The next space, or where the line ends. */
  private static int end(String line, int from, int to) {
    int space = line.indexOf(' ', from);
    return space < 0 || space > to ? to : space;
  }

  /** {@code read-ahead to EOF} of 2.10 and {@code read-ahead_to_EOF} of 2.15 are one counter. */
  private static String name(String written) {
    return isSnakeCase(written)
        ? written
        : NOT_IN_NAMES.matcher(written.toLowerCase(Locale.ROOT)).replaceAll("_");
  }

  private static boolean isSnakeCase(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (!plain && (c != '_' || i == 0 || name.charAt(i - 1) == '_')) {
        return false;
      }
    }
    return true;
  }

  /** 2.10 and 2.12 write {@code usec} and {@code sec}. */
  private static String unit(String written) {
    return written.equals("usec") || written.equals("sec") ? written + "s" : written;
  }

  /** Adds the counters of {@code stats} files to totals. */
  static final class StatsTotals {

    private static final String OPERATION = "operation";
    private static final String BYTES = "bytes";

    /** Counters of all requests together. */
    private static final Set<String> OVERALL = Set.of("req_waittime", "req_active");

    private StatsTotals() {}

    /** Operations of applications: {@code stats} of a mount. */
    static void ofMount(StatsFile stats, String contributor, Totals totals) {
      for (StatsFile.Counter counter : stats.counters().values()) {
        String name = counter.name();
        if (counter.unit().equals(BYTES)) {
          bytes(name)
              .filter(metric -> counter.sum().isPresent())
              .ifPresent(metric -> totals.note(metric, contributor, counter.sum().getAsDouble()));
          String operation = withoutUnit(name);
          if (!stats.counters().containsKey(operation)) {
            // Before 2.15 no other counter has reads and writes.
            totals.note(
                LustreMetrics.OPERATIONS,
                OPERATION,
                operation,
                1,
                contributor,
                counter.count(),
                false);
          }
        } else {
          totals.note(
              LustreMetrics.OPERATIONS, OPERATION, name, 1, contributor, counter.count(), false);
          if (counter.isTime() && counter.sum().isPresent()) {
            totals.note(
                LustreMetrics.OPERATION_SECONDS,
                OPERATION,
                name,
                counter.perBaseUnit(),
                contributor,
                counter.sum().getAsDouble(),
                false);
          }
        }
      }
    }

    private static String withoutUnit(String name) {
      String unit = "_" + BYTES;
      return name.endsWith(unit) ? name.substring(0, name.length() - unit.length()) : name;
    }

    private static Optional<Metric> bytes(String name) {
      return switch (name) {
        case "read_bytes" -> Optional.of(LustreMetrics.READ_BYTES);
        case "write_bytes" -> Optional.of(LustreMetrics.WRITE_BYTES);
        default -> Optional.empty();
      };
    }

    /** Total wait for a target: its {@code stats}. */
    static void waits(StatsFile stats, String contributor, Totals totals) {
      StatsFile.Counter waits = stats.counters().get("req_waittime");
      if (waits != null && waits.sum().isPresent()) {
        totals.note(
            LustreMetrics.RPC_WAIT,
            "",
            "",
            waits.perBaseUnit(),
            contributor,
            waits.sum().getAsDouble(),
            false);
        totals.note(LustreMetrics.RPCS, contributor, waits.count());
      }
    }

    /** Requests to a target by kind: its {@code stats}. */
    static void requests(StatsFile stats, String contributor, Totals totals, boolean late) {
      for (StatsFile.Counter counter : stats.counters().values()) {
        if (OVERALL.contains(counter.name()) || counter.sum().isEmpty()) {
          continue;
        }
        double sum = counter.sum().getAsDouble();
        if (counter.isTime()) {
          totals.note(
              LustreMetrics.RPC_OPERATIONS,
              OPERATION,
              counter.name(),
              1,
              contributor,
              counter.count(),
              late);
          totals.note(
              LustreMetrics.RPC_OPERATION_SECONDS,
              OPERATION,
              counter.name(),
              counter.perBaseUnit(),
              contributor,
              sum,
              late);
        } else if (counter.unit().equals(BYTES)) {
          String operation = withoutUnit(counter.name());
          totals.note(LustreMetrics.RPC_BYTES, OPERATION, operation, 1, contributor, sum, late);
        }
      }
    }
  }
}
