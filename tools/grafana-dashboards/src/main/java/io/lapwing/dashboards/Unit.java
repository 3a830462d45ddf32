package io.lapwing.dashboards;

/** Unit of a value, with Grafana's id. */
public enum Unit {
  /** A count of things, or a number without a dimension. */
  COUNT("short"),
  /** A number with a value mapping. */
  WORD("none"),
  RATIO("percentunit"),
  PERCENT("percent"),
  CELSIUS("celsius"),
  WATT("watt"),
  MEGAHERTZ("rotmhz"),
  BYTES("bytes"),
  MEBIBYTES("mbytes"),
  BYTES_PER_SECOND("Bps"),
  SECONDS("s"),
  /** Seconds as days, hours and minutes. */
  DURATION("dtdurations"),
  /** Milliseconds since the epoch, shown as time ago. */
  AGO("dateTimeFromNow"),
  PER_SECOND("cps"),
  OPERATIONS_PER_SECOND("ops"),
  REQUESTS_PER_SECOND("reqps"),
  TOKENS_PER_SECOND("suffix: tok/s"),
  GPU_HOURS("suffix: GPU-h"),
  /** A number of further things, such as +11. */
  MORE("prefix:+"),
  /** Milliseconds since the epoch, shown as date and time. */
  TIME("dateTimeAsIso"),
  DOLLARS("currencyUSD"),
  FLOPS("flops");

  private final String id;

  Unit(String id) {
    this.id = id;
  }

  public String id() {
    return id;
  }
}
