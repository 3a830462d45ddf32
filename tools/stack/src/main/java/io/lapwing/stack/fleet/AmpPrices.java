package io.lapwing.stack.fleet;

import io.lapwing.table.CsvTable;
import java.util.List;

/**
 * What Amazon Managed Service for Prometheus charges for the samples that an account sends in a
 * month and a region, by tiers: {@code amp-prices.csv}, with its date. Without storage and queries.
 *
 * @param tiers cheapest last
 */
record AmpPrices(List<Tier> tiers) {

  static final double SECONDS_OF_MONTH = 30 * 86_400;

  private static final double BILLION = 1e9;
  private static final double UNIT = 10_000_000;

  /**
   * One tier.
   *
   * @param upTo samples of the month up to which it applies
   * @param dollars for ten million samples
   */
  record Tier(double upTo, double dollars) {}

  AmpPrices {
    tiers = List.copyOf(tiers);
  }

  static AmpPrices read() {
    return new AmpPrices(
        CsvTable.read(AmpPrices.class, "amp-prices.csv").stream().map(AmpPrices::tier).toList());
  }

  private static Tier tier(CsvTable.Row row) {
    String upTo = row.text("up_to_billion_samples");
    return new Tier(
        upTo.isEmpty() ? Double.POSITIVE_INFINITY : Double.parseDouble(upTo) * BILLION,
        Double.parseDouble(row.text("dollars_per_10_million")));
  }

  /** Samples in a month of 30 days. */
  static double samplesPerMonth(double series, int everySeconds) {
    return series * SECONDS_OF_MONTH / everySeconds;
  }

  /** Dollars for the samples of a month. */
  double dollars(double samples) {
    double dollars = 0;
    double from = 0;
    for (Tier tier : tiers) {
      dollars += Math.max(0, Math.min(samples, tier.upTo()) - from) / UNIT * tier.dollars();
      from = tier.upTo();
    }
    return dollars;
  }
}
