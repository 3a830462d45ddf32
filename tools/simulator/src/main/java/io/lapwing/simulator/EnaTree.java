package io.lapwing.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * The network device of an EC2 instance: its driver and byte counters in /sys, and beside them the
 * statistics that a kernel returns only by ioctl. State lines: {@code ena.bw_in: 0 + 500/s since
 * now}, {@code ena.rx_bytes}, {@code ena.tx_bytes}.
 */
record EnaTree(KernelTree sys, DriverLog state) {

  private static final String DEVICE = "class/net/eth0/";
  private static final List<String> ALLOWANCES =
      List.of("bw_in", "bw_out", "pps", "conntrack", "linklocal");
  private static final String KEY = "ena.";
  private static final long CONNECTIONS = 136_812;

  /** Of an earlier job's data and logs. */
  private static final long RECEIVED = 9_100_000_000_000L;

  private static final long SENT = 740_000_000_000L;

  void write(Instant now) throws IOException {
    Path driver = sys.root().resolve(DEVICE).resolve("device/driver");
    Files.createDirectories(driver.getParent());
    if (!Files.isSymbolicLink(driver)) {
      Files.createSymbolicLink(driver, Path.of("../../../../bus/pci/drivers/ena"));
    }
    count(now);
  }

  void count(Instant now) throws IOException {
    bytes("rx_bytes", RECEIVED, now);
    bytes("tx_bytes", SENT, now);
    StringBuilder text = new StringBuilder("NIC statistics:\n");
    for (String allowance : ALLOWANCES) {
      long packets =
          CounterLine.value(state.line(KEY + allowance), now.toEpochMilli() / 1e3, 0).orElse(0L);
      text.append("     ").append(allowance).append("_allowance_exceeded: ").append(packets);
      text.append('\n');
    }
    text.append("     conntrack_allowance_available: ").append(CONNECTIONS);
    sys.replace(DEVICE + "ethtool_statistics", text.toString());
  }

  private void bytes(String file, long preset, Instant now) throws IOException {
    double seconds = now.toEpochMilli() / 1e3;
    long bytes = CounterLine.value(state.line(KEY + file), seconds, 0).orElse(preset);
    sys.replace(DEVICE + "statistics/" + file, Long.toString(bytes));
  }
}
