package io.lapwing.stack.fleet;

import java.util.List;
import java.util.Locale;

/**
 * The cost of a node's series on Amazon Managed Service for Prometheus at the first price tier: US$
 * 0.90 for ten million samples, in a month of 30 days, without queries and storage.
 */
final class CostTable {

  private static final double DOLLARS_PER_SAMPLE = 0.90 / 10_000_000;
  private static final double SECONDS_OF_MONTH = 30 * 86_400;
  private static final int[] INTERVALS = {15, 30, 60};

  private CostTable() {}

  static double dollarsPerMonth(int series, int everySeconds) {
    return series * SECONDS_OF_MONTH / everySeconds * DOLLARS_PER_SAMPLE;
  }

  static String text(List<SeriesBudget.Row> rows) {
    StringBuilder text = new StringBuilder();
    text.append("| instance type | preset | series | page, KiB | at 15 s | at 30 s | at 60 s |\n");
    text.append("|---|---|---|---|---|---|---|\n");
    for (SeriesBudget.Row row : rows) {
      line(text, row.instanceType(), "full", row.full(), kib(row.fullBytes()));
      line(text, "", "full, lean labels", row.full(), kib(row.leanBytes()));
      line(text, "", "rules and dashboards", row.dashboards(), "");
      line(text, "", "rules", row.rules(), "");
    }
    return text.toString();
  }

  private static void line(
      StringBuilder text, String type, String preset, int series, String page) {
    text.append(String.format(Locale.ROOT, "| %s | %s | %,d | %s |", type, preset, series, page));
    for (int interval : INTERVALS) {
      text.append(String.format(Locale.ROOT, " $%.2f |", dollarsPerMonth(series, interval)));
    }
    text.append('\n');
  }

  private static String kib(int bytes) {
    return Integer.toString(bytes / 1024);
  }
}
