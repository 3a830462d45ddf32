package io.lapwing.stack.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What Amazon Managed Service for Prometheus charges for the samples that an account sends in a
 * month and a region, by tiers: {@code amp-prices.yml}, with its date. Without storage and queries.
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
    List<Tier> tiers = new ArrayList<>();
    for (JsonNode tier : resource("amp-prices.yml")) {
      tiers.add(
          new Tier(
              tier.path("upToBillionSamples").asDouble(Double.POSITIVE_INFINITY) * BILLION,
              tier.path("dollarsPer10Million").asDouble()));
    }
    return new AmpPrices(tiers);
  }

  /** A YAML resource beside this class. */
  static JsonNode resource(String name) {
    try (InputStream yaml =
        Objects.requireNonNull(AmpPrices.class.getResourceAsStream(name), name)) {
      return new YAMLMapper().readTree(yaml);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
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
