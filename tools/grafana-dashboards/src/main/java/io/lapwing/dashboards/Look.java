package io.lapwing.dashboards;

import org.jspecify.annotations.Nullable;

/**
 * Display options of a panel.
 *
 * @param empty text shown without data
 * @param least lower end of the axis, null for automatic
 * @param most upper end of the axis, null for automatic
 * @param decimals number of decimals, null for automatic
 * @param link target of a click
 * @param interval minimum query interval
 * @param bands whether the lines are quantiles, with the space between them filled
 */
public record Look(
    Scale scale,
    @Nullable String empty,
    boolean stacked,
    @Nullable Double least,
    @Nullable Double most,
    @Nullable Integer decimals,
    @Nullable Link link,
    @Nullable String interval,
    boolean bands) {

  public static final Look PLAIN =
      new Look(Scale.PLAIN, null, false, null, null, null, null, null, false);

  public Look withScale(Scale other) {
    return new Look(other, empty, stacked, least, most, decimals, link, interval, bands);
  }

  public Look withEmpty(String text) {
    return new Look(scale, text, stacked, least, most, decimals, link, interval, bands);
  }

  public Look withStacked(boolean on) {
    return new Look(scale, empty, on, least, most, decimals, link, interval, bands);
  }

  public Look withLeast(double bound) {
    return new Look(scale, empty, stacked, bound, most, decimals, link, interval, bands);
  }

  public Look withMost(double bound) {
    return new Look(scale, empty, stacked, least, bound, decimals, link, interval, bands);
  }

  public Look withDecimals(int digits) {
    return new Look(scale, empty, stacked, least, most, digits, link, interval, bands);
  }

  public Look withLink(Link to) {
    return new Look(scale, empty, stacked, least, most, decimals, to, interval, bands);
  }

  public Look withInterval(String bound) {
    return new Look(scale, empty, stacked, least, most, decimals, link, bound, bands);
  }

  public Look withBands() {
    return new Look(scale, empty, stacked, least, most, decimals, link, interval, true);
  }
}
