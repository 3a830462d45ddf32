package io.lapwing.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * The ConnectX devices of some instance types. They manage the NVLink switch and are in {@code
 * class/infiniband} together with EFA devices.
 */
record Mlx5Tree(InstanceType type, PciTree pci) {
  private static final List<String> COUNTERS =
      List.of("port_rcv_data", "port_rcv_packets", "port_xmit_data", "port_xmit_packets");

  void write() throws IOException {
    for (PciSwitch each : type.switches()) {
      for (String busId : each.mlx5()) {
        write(busId, each.numaNode());
      }
    }
  }

  private void write(String busId, int numaNode) throws IOException {
    String device = pci.folder(busId);
    String name = "ibp" + Integer.parseInt(busId.substring(5, 7), 16) + "s0f0";
    String infiniband = device + "/infiniband/" + name;
    KernelTree sys = pci.sys();
    pci.add(busId);
    sys.write(device + "/vendor", "0x15b3");
    sys.write(device + "/device", "0x1021");
    sys.write(device + "/class", "0x020700");
    sys.write(device + "/numa_node", Integer.toString(numaNode));
    sys.write(infiniband + "/node_type", "1: CA");
    sys.write(infiniband + "/fw_ver", "28.43.3608");
    sys.write(infiniband + "/hca_type", "MT4129");
    sys.write(infiniband + "/board_id", "MT_0000000838");
    sys.write(infiniband + "/ports/1/state", "4: ACTIVE");
    sys.write(infiniband + "/ports/1/phys_state", "5: LinkUp");
    sys.write(infiniband + "/ports/1/rate", "100 Gb/sec (2X HDR)");
    sys.write(infiniband + "/ports/1/link_layer", "InfiniBand");
    for (String counter : COUNTERS) {
      sys.write(infiniband + "/ports/1/counters/" + counter, "4096");
    }
    sys.write(infiniband + "/ports/1/hw_counters/out_of_buffer", "0");
    sys.write(infiniband + "/ports/1/hw_counters/lifespan", "10");
    Files.createDirectories(sys.root().resolve("bus/pci/drivers/mlx5_core"));
    pci.linkDevice(infiniband, busId);
    pci.link(device + "/driver", "bus/pci/drivers/mlx5_core");
    pci.link("class/infiniband/" + name, infiniband);
  }
}
