package io.lapwing.simulator;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The devices below one PCIe switch of an instance type, from {@code instances.yaml}.
 *
 * @param root the bus of the root port, "44"; the switch has the two buses after it
 * @param numaNode of all devices below
 * @param efa PCI addresses in the order of the ports, "0000:4f:00.0"
 * @param gpus likewise, on the ports after these
 * @param mlx5 ConnectX devices (not EFA), on the last ports
 */
public record PciSwitch(
    String root, int numaNode, List<String> efa, List<String> gpus, List<String> mlx5) {
  public PciSwitch {
    efa = List.copyOf(efa);
    gpus = List.copyOf(gpus);
    mlx5 = List.copyOf(mlx5);
  }

  /** All devices in the order of the ports. */
  List<String> devices() {
    return Stream.of(efa, gpus, mlx5).flatMap(List::stream).toList();
  }

  PciSwitch withoutEfa() {
    return new PciSwitch(root, numaNode, List.of(), gpus, mlx5);
  }

  /** The device's folder in /sys including the bridges; empty if it is not below this switch. */
  Optional<String> folder(String busId) {
    int port = devices().indexOf(busId);
    if (port < 0) {
      return Optional.empty();
    }
    String bus = "devices/pci0000:" + root + "/";
    String bridges =
        "0000:%s:00.0/0000:%s:00.0/0000:%s:01.%d/".formatted(root, after(1), after(2), port);
    return Optional.of(bus + (busId.startsWith("0000:" + root) ? "" : bridges) + busId);
  }

  private String after(int buses) {
    return String.format(Locale.ROOT, "%02x", Integer.parseInt(root, 16) + buses);
  }
}
