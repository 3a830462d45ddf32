package io.lapwing.lustre;

import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An {@code rpc_stats} file of an OSC (read and write) or an MDC (modify; from 2.15 on read and
 * write behind it), by table and column.
 *
 * <pre>
 * 			read			write
 * pages per rpc         rpcs   % cum % |       rpcs   % cum %
 * 1:		       120   3   3   |         10   0   0
 * 1024:		      3500  96 100   |      30000  99 100
 * </pre>
 *
 * A table that ends before the row where both columns have reached 100 % was truncated and is
 * dropped: half a histogram is wrong.
 */
record RpcStatsFile(Map<String, Map<String, RpcHistogram>> tables) {

  static final String PAGES = "pages per rpc";
  static final String IN_FLIGHT = "rpcs in flight";

  /** Not the offsets, which are half of the file. */
  private static final Set<String> READ = Set.of(PAGES, IN_FLIGHT);

  private static final Pattern HEADING =
      Pattern.compile("([a-z][a-z ]{0,30}?) +rpcs   % cum %( \\| +rpcs   % cum %)?");
  private static final Pattern COLUMNS = Pattern.compile("\\t+([a-z]{1,20})(?:\\t+([a-z]{1,20}))?");

  /** Words of a row: its bound, and per column the count, share and cumulative share. */
  private static final int OF_ONE_COLUMN = 4;

  private static final int OF_TWO_COLUMNS = 8;
  private static final int BETWEEN_COLUMNS = 4;

  /** {@code OBD_HIST_MAX}. */
  private static final int MAX_ROWS = 32;

  private static final double WHOLE = 100;

  RpcStatsFile {
    tables = Map.copyOf(tables);
  }

  static RpcStatsFile parse(KernelText text) throws ParseFailure {
    if (text.size() == 0 || !text.line(0).startsWith("snapshot_time:")) {
      throw text.failure(0, "not a snapshot_time");
    }
    Map<String, Map<String, RpcHistogram>> tables = new HashMap<>();
    for (int i = 1; i < text.size(); i++) {
      // Most lines are rows: only a few need a matcher.
      Matcher heading = text.endsWith(i, "cum %") ? HEADING.matcher(text.line(i)) : null;
      if (heading != null && heading.matches() && READ.contains(heading.group(1))) {
        Table table = Table.read(text, i);
        i = table.end() - 1;
        // An MDC has two tables of one name: modifying requests, then the others.
        tables
            .computeIfAbsent(heading.group(1), unseen -> new LinkedHashMap<>())
            .putAll(table.histograms());
      }
    }
    return new RpcStatsFile(tables);
  }

  /** The columns of a table; empty if it is absent or incomplete. */
  Map<String, RpcHistogram> table(String name) {
    return tables.getOrDefault(name, Map.of());
  }

  /** One table of one or two columns; empty if it may be incomplete. */
  private record Table(Map<String, RpcHistogram> histograms, int end) {

    static Table read(KernelText text, int heading) throws ParseFailure {
      List<String> names = columns(text, heading);
      List<Integer> bounds = new ArrayList<>();
      List<List<Double>> counts = names.stream().<List<Double>>map(n -> new ArrayList<>()).toList();
      double[] reached = new double[names.size()];
      Row row = new Row(text);
      int at = heading + 1;
      for (; at < text.size() && row.read(at, names.size()); at++) {
        if (bounds.size() == MAX_ROWS) {
          throw text.failure(at, "too many rows");
        }
        bounds.add(row.bound(bounds));
        for (int column = 0; column < names.size(); column++) {
          counts.get(column).add(row.number(1 + BETWEEN_COLUMNS * column));
          reached[column] = row.number(3 + BETWEEN_COLUMNS * column);
        }
      }
      boolean followed = at < text.size();
      return new Table(whole(followed, names, bounds, counts, reached), at);
    }

    /** A column of zeros at the end of the file may be truncated. */
    private static Map<String, RpcHistogram> whole(
        boolean followed,
        List<String> names,
        List<Integer> bounds,
        List<List<Double>> counts,
        double[] reached) {
      Map<String, RpcHistogram> histograms = new LinkedHashMap<>();
      for (int column = 0; column < names.size(); column++) {
        RpcHistogram histogram = new RpcHistogram(bounds, counts.get(column));
        boolean empty = histogram.total() == 0;
        if (bounds.isEmpty() || (!empty && reached[column] < WHOLE)) {
          return Map.of();
        }
        if (!empty || followed) {
          histograms.put(names.get(column), histogram);
        }
      }
      return histograms;
    }

    /** Column names are on the line above the heading. */
    private static List<String> columns(KernelText text, int heading) throws ParseFailure {
      Matcher form = COLUMNS.matcher(text.line(heading - 1));
      boolean two = text.line(heading).contains("|");
      if (!form.matches() || (form.group(2) != null) != two) {
        throw text.failure(heading - 1, "not column names");
      }
      return two ? List.of(form.group(1), form.group(2)) : List.of(form.group(1));
    }
  }

  /**
   * The words of one row. Without a regular expression and without strings: a hundred targets have
   * ten thousand rows.
   */
  private static final class Row {

    private final KernelText text;
    private final int[] begins = new int[OF_TWO_COLUMNS + 1];
    private final int[] ends = new int[OF_TWO_COLUMNS + 1];
    private int index;

    Row(KernelText text) {
      this.text = text;
    }

    /** Finds the words of the row with this index; false if the line is blank. */
    boolean read(int rowIndex, int columns) throws ParseFailure {
      index = rowIndex;
      int words = words();
      if (words == 0) {
        return false;
      }
      if (words != (columns == 1 ? OF_ONE_COLUMN : OF_TWO_COLUMNS)
          || text.at(ends[0] - 1) != ':'
          || (columns > 1 && !isBetweenColumns())) {
        throw text.failure(index, "not a table row");
      }
      ends[0]--;
      return true;
    }

    private boolean isBetweenColumns() {
      int word = BETWEEN_COLUMNS;
      return ends[word] - begins[word] == 1 && text.at(begins[word]) == '|';
    }

    /** How many there are; at most one more than a row of two columns has. */
    private int words() {
      int words = 0;
      int at = text.begin(index);
      int end = text.end(index);
      while (words < begins.length) {
        while (at < end && isSpace(text.at(at))) {
          at++;
        }
        if (at == end) {
          return words;
        }
        begins[words] = at;
        while (at < end && !isSpace(text.at(at))) {
          at++;
        }
        ends[words++] = at;
      }
      return words;
    }

    private static boolean isSpace(byte one) {
      return one == ' ' || one == '\t';
    }

    int bound(List<Integer> before) throws ParseFailure {
      double bound = number(0);
      if (bound > Integer.MAX_VALUE
          || (!before.isEmpty() && bound <= before.get(before.size() - 1))) {
        throw text.failure(index, "rows not in ascending order");
      }
      return (int) bound;
    }

    double number(int word) throws ParseFailure {
      double number = text.number(begins[word], ends[word]);
      if (Double.isNaN(number)) {
        throw text.failure(index, "not a 64-bit number");
      }
      return number;
    }
  }

  /** One column of one table: the upper bound of each row and its requests. */
  record RpcHistogram(List<Integer> bounds, List<Double> counts) {

    RpcHistogram {
      bounds = List.copyOf(bounds);
      counts = List.copyOf(counts);
    }

    double total() {
      double total = 0;
      for (double count : counts) {
        total += count;
      }
      return total;
    }
  }
}
