package io.lapwing.simulator;

import java.util.Map;

/**
 * The network devices of one instance type, from {@code instances.yaml}.
 *
 * @param pciDevice the PCI device id, "0xefa1"
 * @param gbps bandwidth of one device in each direction, in 10^9 bits per second
 * @param linkSpeed as the kernel writes it, "16.0 GT/s PCIe"
 * @param linkWidth lanes
 * @param verbs one-sided operations of the hardware
 */
public record EfaModel(String pciDevice, int gbps, String linkSpeed, int linkWidth, Verbs verbs) {

  /** One-sided operations of the hardware. */
  public enum Verbs {
    /** Two-sided messages only. */
    SEND,

    /** Messages and RDMA reads. */
    READ,

    /** Also RDMA writes, which then carry nearly all traffic of a job. */
    WRITE
  }

  /** The verbs layer has only pairs of width and speed. */
  private static final Map<Integer, String> RATES =
      Map.of(
          100, "100 Gb/sec (4X EDR)",
          200, "200 Gb/sec (4X HDR)",
          400, "400 Gb/sec (8X HDR)");

  /** Content of {@code ports/1/rate}; drivers before 2.13 report 100 for every device. */
  String rate(EfaDriver driver) {
    return RATES.getOrDefault(driver.knowsLinkSpeed() ? gbps : 100, gbps + " Gb/sec (4X)");
  }

  /** Bytes per second at full load. */
  double bytesPerSecond() {
    return gbps * 1e9 / 8;
  }
}
