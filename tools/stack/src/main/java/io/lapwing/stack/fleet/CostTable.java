package io.lapwing.stack.fleet;

import java.util.List;
import java.util.Locale;

/**
 * The cost of series on Amazon Managed Service for Prometheus by {@link AmpPrices}, for a single
 * node, whose samples are in the first tier, and for fleets of one instance type.
 */
final class CostTable {

  static final String FLEET_TYPE = "p5.48xlarge";

  private static final int[] INTERVALS = {15, 30, 60};
  private static final int[] FLEETS = {10, 100, 1000, 10_000};

  private static final AmpPrices PRICES = AmpPrices.read();

  private CostTable() {}

  /** Dollars a month for nodes with this many series each. */
  static double dollarsPerMonth(int nodes, int series, int everySeconds) {
    return PRICES.dollars(AmpPrices.samplesPerMonth((double) nodes * series, everySeconds));
  }

  static String text(List<SeriesBudget.Row> rows) {
    StringBuilder text = new StringBuilder();
    text.append("| instance type | preset | series | page, KiB | at 15 s | at 30 s | at 60 s |\n");
    text.append("|---|---|---|---|---|---|---|\n");
    for (SeriesBudget.Row row : rows) {
      line(text, row.instanceType(), "minimal", row.minimal());
      line(text, "", "standard", row.standard());
      line(text, "", "full", row.full());
    }
    rows.stream()
        .filter(row -> row.instanceType().equals(FLEET_TYPE))
        .forEach(row -> text.append('\n').append(fleets(row)));
    return text.toString();
  }

  /** Fleets of nodes like this one. */
  static String fleets(SeriesBudget.Row row) {
    StringBuilder text = new StringBuilder();
    text.append(
        "| nodes | preset | series | samples a month at 15 s | at 15 s | at 30 s | at 60 s |\n");
    text.append("|---|---|---|---|---|---|---|\n");
    for (int nodes : FLEETS) {
      row.presets().forEach((preset, size) -> fleet(text, nodes, preset, size.series()));
    }
    return text.toString();
  }

  private static void fleet(StringBuilder text, int nodes, String preset, int series) {
    text.append(
        format(
            "| %s | %s | %,d | %.1f billion |",
            preset.equals("minimal") ? format("%,d", nodes) : "",
            preset,
            (long) nodes * series,
            AmpPrices.samplesPerMonth((double) nodes * series, INTERVALS[0]) / 1e9));
    for (int interval : INTERVALS) {
      text.append(format(" $%,.0f |", dollarsPerMonth(nodes, series, interval)));
    }
    text.append('\n');
  }

  private static void line(
      StringBuilder text, String type, String preset, SeriesBudget.PageSize size) {
    text.append(format("| %s | %s | %,d | %d |", type, preset, size.series(), size.bytes() / 1024));
    for (int interval : INTERVALS) {
      text.append(format(" $%.2f |", dollarsPerMonth(1, size.series(), interval)));
    }
    text.append('\n');
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
