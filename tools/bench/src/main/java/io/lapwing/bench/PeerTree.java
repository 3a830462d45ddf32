package io.lapwing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The /sys of the peer, with as many network devices as a p5.48xlarge.
 *
 * <p>node_exporter does not know EFA counters, so each device has 21 counters of a Mellanox device.
 * What matters is the number of small files to read.
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

  /** Eight more known counters, in another folder. */
  static final List<String> MORE_COUNTERS =
      List.of(
          "port_multicast_rcv_packets",
          "port_multicast_xmit_packets",
          "port_rcv_data_64",
          "port_rcv_packets_64",
          "port_unicast_rcv_packets",
          "port_unicast_xmit_packets",
          "port_xmit_data_64",
          "port_xmit_packets_64");

  private PeerTree() {}

  /** Writes the tree into a folder and returns the value for --path.sysfs. */
  static Path write(Path folder) throws IOException {
    Path sys = folder.resolve("peer-sys");
    for (int device = 0; device < DEVICES; device++) {
      writeDevice(device(sys, device), device);
    }
    return sys;
  }

  /**
   * A tree with this many counters per device. The peer exposes 29; it reads and drops the others.
   */
  static Path write(Path folder, int countersPerDevice) throws IOException {
    Path sys = write(folder);
    for (int device = 0; device < DEVICES; device++) {
      Path port = device(sys, device).resolve("ports/1");
      for (String counter : MORE_COUNTERS) {
        put(port.resolve("counters_ext/" + counter), value(device));
      }
      for (int i = COUNTERS.size() + MORE_COUNTERS.size(); i < countersPerDevice; i++) {
        put(port.resolve("counters/other_" + i), value(device));
      }
    }
    return sys;
  }

  private static Path device(Path sys, int number) {
    return sys.resolve("class/infiniband/mlx5_" + number);
  }

  private static String value(int device) {
    return String.valueOf(1_234_567_890L * (device + 1));
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
      put(port.resolve("counters/" + counter), value(number));
    }
  }

  private static void put(Path file, String content) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, content + "\n");
  }
}
