package io.lapwing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The /sys that the peer reads: as many network devices as a p5.48xlarge has.
 *
 * <p>node_exporter knows no EFA counter, so the tree carries the names that it does know, those of
 * a Mellanox device, 21 a device. The number of small files to open and read is what matters.
 */
final class PeerTree {

  static final int DEVICES = 32;

  static final List<String> COUNTERS =
      List.of(
          "VL15_dropped",
          "excessive_buffer_overrun_errors",
          "link_downed",
          "link_error_recovery",
          "local_link_integrity_errors",
          "multicast_rcv_packets",
          "multicast_xmit_packets",
          "port_rcv_constraint_errors",
          "port_rcv_data",
          "port_rcv_errors",
          "port_rcv_packets",
          "port_rcv_remote_physical_errors",
          "port_rcv_switch_relay_errors",
          "port_xmit_constraint_errors",
          "port_xmit_data",
          "port_xmit_discards",
          "port_xmit_packets",
          "port_xmit_wait",
          "symbol_error",
          "unicast_rcv_packets",
          "unicast_xmit_packets");

  private PeerTree() {}

  /** Writes the tree below a folder and returns what to give to --path.sysfs. */
  static Path write(Path folder) throws IOException {
    Path sys = folder.resolve("peer-sys");
    for (int device = 0; device < DEVICES; device++) {
      writeDevice(sys.resolve("class/infiniband/mlx5_" + device), device);
    }
    return sys;
  }

  private static void writeDevice(Path device, int number) throws IOException {
    Path port = device.resolve("ports/1");
    put(device.resolve("board_id"), "MT_0000000838");
    put(device.resolve("fw_ver"), "28.39.1002");
    put(device.resolve("hca_type"), "MT4129");
    put(port.resolve("state"), "4: ACTIVE");
    put(port.resolve("phys_state"), "5: LinkUp");
    put(port.resolve("rate"), "100 Gb/sec (4X EDR)");
    for (String counter : COUNTERS) {
      put(port.resolve("counters/" + counter), String.valueOf(1_234_567_890L * (number + 1)));
    }
  }

  private static void put(Path file, String content) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, content + "\n");
  }
}
