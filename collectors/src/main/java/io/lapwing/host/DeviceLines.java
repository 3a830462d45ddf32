package io.lapwing.host;

import io.lapwing.host.HostMessage.Fault;
import io.lapwing.host.HostMessage.PcieDriver;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PCIe errors that the root port reports, and network devices that do not send.
 *
 * <pre>
 * pcieport 0000:00:00.0: AER: Uncorrected (Non-Fatal) error received: 0000:01:00.0
 * pcieport 0000:80:1b.4: AER: Correctable error message received from 0000:80:1b.4
 * nvme 0000:53:00.0: PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction Layer, (Requester ID)
 * NETDEV WATCHDOG: eth0 (ena): transmit queue 3 timed out
 * ena 0000:00:05.0 eth0: NETDEV WATCHDOG: CPU: 3: transmit queue 0 timed out 5010 ms
 * </pre>
 *
 * Sources: Linux, drivers/pci/pcie/aer.c, net/sched/sch_generic.c.
 */
final class DeviceLines {

  private static final String ADDRESS = "([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7])";
  private static final String SEVERITY =
      "(Correct(?:ed|able)|Uncorrect(?:ed|able))(?: \\((Non-Fatal|Fatal)\\))?";
  private static final String INTERFACE = "([A-Za-z0-9_.:@-]{1,15})";

  /** Before Linux 4.20 the last part is {@code id=00e8}, and the port stands for the device. */
  private static final Pattern RECEIVED =
      Pattern.compile(
          "pcieport "
              + ADDRESS
              + ": AER: (?:Multiple )?"
              + SEVERITY
              + " error (?:message )?received(?: from |: )(?:"
              + ADDRESS
              + "|id=[0-9a-f]{4})");

  private static final Pattern BUS_ERROR =
      Pattern.compile(
          "([A-Za-z0-9_-]{1,32}) "
              + ADDRESS
              + ": (?:AER: )?PCIe Bus Error: severity="
              + SEVERITY
              + ", type=");
  private static final Pattern WATCHDOG =
      Pattern.compile(
          "NETDEV WATCHDOG: "
              + INTERFACE
              + " \\([A-Za-z0-9_-]{1,32}\\): transmit queue \\d{1,5} timed out");
  private static final Pattern WATCHDOG_OF_DEVICE =
      Pattern.compile(
          "[A-Za-z0-9_-]{1,32} [A-Za-z0-9_.:-]{1,40} "
              + INTERFACE
              + ": NETDEV WATCHDOG: CPU: \\d{1,5}: transmit queue \\d{1,5} timed out");

  private DeviceLines() {}

  static Optional<HostMessage> read(String text) {
    Matcher received = RECEIVED.matcher(text);
    if (received.lookingAt()) {
      String device = received.group(4) == null ? received.group(1) : received.group(4);
      return Optional.of(Fault.of(kind(received.group(2), received.group(3)), device, text));
    }
    Matcher error = BUS_ERROR.matcher(text);
    if (error.lookingAt()) {
      HostFaultKind kind = kind(error.group(3), error.group(4));
      return Optional.of(new PcieDriver(Fault.of(kind, error.group(2), text), error.group(1)));
    }
    Matcher watchdog = WATCHDOG.matcher(text);
    if (watchdog.lookingAt()) {
      return Optional.of(Fault.of(HostFaultKind.NETDEV_TIMEOUT, watchdog.group(1), text));
    }
    Matcher ofDevice = WATCHDOG_OF_DEVICE.matcher(text);
    return ofDevice.lookingAt()
        ? Optional.of(Fault.of(HostFaultKind.NETDEV_TIMEOUT, ofDevice.group(1), text))
        : Optional.empty();
  }

  private static HostFaultKind kind(String severity, @Nullable String fatal) {
    if (severity.startsWith("C")) {
      return HostFaultKind.PCIE_CORRECTED;
    }
    return "Fatal".equals(fatal) ? HostFaultKind.PCIE_FATAL : HostFaultKind.PCIE_NON_FATAL;
  }
}
