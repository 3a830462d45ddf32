package io.lapwing.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A run as a text table and as JSON. Budgets are shown but not enforced. */
final class Report {

  private final List<Row> rows;
  private final Map<String, Object> facts;
  private final Result result;

  Report(Result result, Map<String, Object> facts) {
    this.result = result;
    this.facts = facts;
    this.rows = rows(result);
  }

  /**
   * One quantity.
   *
   * @param key its name in the JSON record
   * @param budget the upper limit
   */
  record Row(String key, String what, String unit, Comparison comparison, Budget budget) {}

  /** An upper limit of the ratio or of the agent's value; {@link #NONE} if there is none. */
  record Budget(Kind kind, double limit) {

    enum Kind {
      NONE,
      RATIO,
      VALUE
    }

    static final Budget NONE = new Budget(Kind.NONE, 0);

    static Budget ratio(double limit) {
      return new Budget(Kind.RATIO, limit);
    }

    static Budget value(double limit) {
      return new Budget(Kind.VALUE, limit);
    }

    boolean holds(Comparison comparison) {
      return (kind == Kind.RATIO ? comparison.ratio() : comparison.agent()) <= limit;
    }

    String show(Comparison comparison, String unit) {
      if (kind == Kind.NONE) {
        return "";
      }
      String limitText = number(limit) + (kind == Kind.RATIO ? "x" : " " + unit);
      return limitText + (holds(comparison) ? "  met" : "  OVER");
    }
  }

  private static List<Row> rows(Result result) {
    List<Row> rows = new ArrayList<>();
    for (Encoding encoding : Encoding.values()) {
      String key = encoding.label();
      rows.add(
          new Row(
              "cpu_seconds_per_1000_scrapes_" + key,
              "CPU per 1,000 scrapes, " + key,
              "s",
              // Microseconds for one scrape are milliseconds for a thousand.
              result.compare(encoding, round -> round.cpuMicrosPerScrape() / 1e3),
              Budget.ratio(0.03)));
      rows.add(
          new Row(
              "p50_us_" + key,
              "scrape p50, " + key,
              "us",
              result.compare(encoding, Round::p50Micros),
              Budget.NONE));
      rows.add(
          new Row(
              "p99_us_" + key,
              "scrape p99, " + key,
              "us",
              result.compare(encoding, Round::p99Micros),
              Budget.ratio(0.10)));
    }
    rows.add(
        new Row(
            "young_cpu_seconds_per_1000_scrapes_gzip",
            "the same from scrape %d on, gzip".formatted(Effort.FIRST_SCRAPES + 1),
            "s",
            result.compareYoung(round -> round.cpuMicrosPerScrape() / 1e3),
            Budget.ratio(0.03)));
    rows.add(
        new Row(
            "young_p99_us_gzip",
            "  its p99",
            "us",
            result.compareYoung(Round::p99Micros),
            Budget.ratio(0.10)));
    rows.add(
        new Row(
            "cpu_seconds_per_hour",
            "CPU an hour, a scrape each 15 s",
            "s",
            Comparison.ofOne(
                result.unattended().agent().cpuSecondsPerHour(),
                result.unattended().peer().cpuSecondsPerHour()),
            Budget.NONE));
    rows.add(
        new Row(
            "rss_mib",
            "RSS after " + grouped(fewestScrapes(result)) + " scrapes or more",
            "MiB",
            Comparison.ofOne(
                result.memory().agent().rssKib() / 1024.0,
                result.memory().peer().rssKib() / 1024.0),
            Budget.value(80)));
    rows.add(
        new Row(
            "anonymous_rss_mib",
            "  of it anonymous",
            "MiB",
            Comparison.ofOne(
                result.memory().agent().anonymousKib() / 1024.0,
                result.memory().peer().anonymousKib() / 1024.0),
            Budget.NONE));
    rows.add(
        new Row(
            "cold_start_ms",
            "start to first complete page",
            "ms",
            result.compareStarts(),
            Budget.value(600)));
    return rows;
  }

  private static int fewestScrapes(Result result) {
    return Math.min(result.scrapesBeforeMemory().agent(), result.scrapesBeforeMemory().peer());
  }

  // --- The table

  String table() {
    return table(facts, rows) + notes();
  }

  static String table(Map<String, Object> facts, List<Row> rows) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%nLapwing beside %s%n%s, %s cores, kernel %s, %s, %s%n%n"
            .formatted(
                facts.get("peer_version"),
                facts.get("processor"),
                facts.get("cores"),
                facts.get("kernel"),
                facts.get("jvm"),
                facts.get("date")));
    text.append(
        "%-36s %10s %14s %4s  %8s %-17s %s%n"
            .formatted("median", "Lapwing", "node_exporter", "", "ratio", "(rounds)", "budget"));
    rows.forEach(row -> text.append(line(row)));
    return text.toString();
  }

  private static String line(Row row) {
    Comparison c = row.comparison();
    String spread =
        c.ratios().size() > 1 ? "(%s-%s)".formatted(number(c.lowest()), number(c.highest())) : "";
    return "%-36s %10s %14s %-4s %7sx %-17s %s%n"
        .formatted(
            row.what(),
            number(c.agent()),
            number(c.peer()),
            row.unit(),
            number(c.ratio()),
            spread,
            row.budget().show(c, row.unit()));
  }

  private String notes() {
    PageSize ours = result.pages().agent();
    PageSize theirs = result.pages().peer();
    Result.Unattended window = result.unattended().agent();
    return """

        The pages differ: Lapwing %s series, %s bytes (gzip %s); node_exporter %s series, %s bytes (gzip %s).
        A scrape of Lapwing sends ready bytes and a scrape of node_exporter collects. "CPU an hour" has what Lapwing does
        between scrapes, extrapolated from %.0f s with %d scrapes (%.3f s of CPU; node_exporter %.3f s): of a process that
        compiles after thousands of scrapes. `./lapwing bench --quiet` measures it when that has ended.
        The exit code does not depend on the budgets.
        Same client, same machine, one keep-alive connection each, in turn. A ratio is the median of the rounds' ratios.
        """
        .formatted(
            grouped(ours.series()),
            grouped(ours.plainBytes()),
            grouped(ours.gzipBytes()),
            grouped(theirs.series()),
            grouped(theirs.plainBytes()),
            grouped(theirs.gzipBytes()),
            window.seconds(),
            window.scrapes(),
            window.cpuSeconds(),
            result.unattended().peer().cpuSeconds());
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Three significant digits, without an exponent. */
  private static String number(double value) {
    int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : value >= 0.1 ? 3 : 4;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  // --- JSON

  String json() {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("machine", facts);
    record.put(
        "pages",
        Map.of("agent", page(result.pages().agent()), "peer", page(result.pages().peer())));
    record.put("scrapes_before_memory_agent", result.scrapesBeforeMemory().agent());
    record.put("scrapes_before_memory_peer", result.scrapesBeforeMemory().peer());
    record.put("unattended_seconds", result.unattended().agent().seconds());
    record.put("unattended_cpu_seconds_agent", result.unattended().agent().cpuSeconds());
    record.put("unattended_cpu_seconds_peer", result.unattended().peer().cpuSeconds());
    record.put("unattended_reconnects_agent", result.unattended().agent().reconnects());
    record.put("unattended_reconnects_peer", result.unattended().peer().reconnects());
    record.put("quantities", quantities(rows));
    return Json.write(record);
  }

  static Map<String, Object> quantities(List<Row> rows) {
    Map<String, Object> quantities = new LinkedHashMap<>();
    rows.forEach(row -> quantities.put(row.key(), quantity(row)));
    return quantities;
  }

  private static Map<String, Object> page(PageSize page) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("series", page.series());
    map.put("plain_bytes", page.plainBytes());
    map.put("gzip_bytes", page.gzipBytes());
    return map;
  }

  private static Map<String, Object> quantity(Row row) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("agent", row.comparison().agent());
    map.put("peer", row.comparison().peer());
    map.put("ratio", row.comparison().ratio());
    map.put("ratios", row.comparison().ratios());
    if (row.budget().kind() != Budget.Kind.NONE) {
      map.put(
          row.budget().kind() == Budget.Kind.RATIO ? "budget_ratio" : "budget",
          row.budget().limit());
      map.put("within_budget", row.budget().holds(row.comparison()));
    }
    return map;
  }
}
