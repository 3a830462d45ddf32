package io.lapwing.simulator;

import java.util.Map;

/**
 * The network devices of one instance type, from {@code instances.yaml}.
 *
 * @param pciDevice the PCI device id, "0xefa1"
 * @param gbps what one device can send, and receive, in 10^9 bits per second
 * @param linkSpeed as the kernel writes it, "16.0 GT/s PCIe"
 * @param linkWidth lanes
 * @param verbs what the hardware does one-sidedly
 */
public record EfaModel(
    String pciDevice, int gbps, String linkSpeed, int linkWidth, EfaVerbs verbs) {
  /** The verbs layer knows pairs of width and speed only. */
  private static final Map<Integer, String> RATES =
      Map.of(
          100, "100 Gb/sec (4X EDR)",
          200, "200 Gb/sec (4X HDR)",
          400, "400 Gb/sec (8X HDR)");

  /** What {@code ports/1/rate} says; drivers before 2.13 say of every device that it has 100. */
  String rate(EfaDriver driver) {
    return RATES.getOrDefault(driver.knowsLinkSpeed() ? gbps : 100, gbps + " Gb/sec (4X)");
  }

  /** Bytes per second at full load. */
  double bytesPerSecond() {
    return gbps * 1e9 / 8;
  }
}
