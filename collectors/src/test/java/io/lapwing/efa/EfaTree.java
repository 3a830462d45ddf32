package io.lapwing.efa;

import io.lapwing.linux.SysFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * A sysfs with RDMA devices and the links of a real one: the devices are in the PCI tree, and
 * {@code class/infiniband} links to them.
 */
final class EfaTree {

  /** Versions that added port counters. */
  enum Driver {
    V1_4,
    V1_10,
    V2_5,
    V2_17;

    private Stream<String> added() {
      return switch (this) {
        case V1_4 -> Stream.of("tx_bytes", "rx_bytes", "tx_pkts", "rx_pkts", "rx_drops");
        case V1_10 ->
            Stream.of(
                "send_bytes",
                "send_wrs",
                "recv_bytes",
                "recv_wrs",
                "rdma_read_wrs",
                "rdma_read_bytes",
                "rdma_read_wr_err",
                "rdma_read_resp_bytes");
        case V2_5 ->
            Stream.of(
                "rdma_write_wrs", "rdma_write_bytes", "rdma_write_wr_err", "rdma_write_recv_bytes");
        case V2_17 ->
            Stream.of(
                "retrans_bytes",
                "retrans_pkts",
                "retrans_timeout_events",
                "impaired_remote_conn_events",
                "unresponsive_remote_events");
      };
    }

    List<String> portCounters() {
      return EnumSet.range(V1_4, this).stream().flatMap(Driver::added).toList();
    }
  }

  static final List<String> DEVICE_COUNTERS =
      List.of(
          "submitted_cmds",
          "completed_cmds",
          "cmds_err",
          "no_completion_cmds",
          "keep_alive_rcvd",
          "alloc_pd_err",
          "create_qp_err",
          "create_cq_err",
          "reg_mr_err",
          "alloc_ucontext_err",
          "create_ah_err",
          "mmap_err");

  private static final String PORT = "ports/1/";

  private final Path root;

  EfaTree(Path root) {
    this.root = root;
  }

  SysFs sys() {
    return new SysFs(root);
  }

  /** A PCI function under a bridge, and the link to it. */
  private Path pci(String tree, String address, String vendor, String id, String numaNode) {
    Path folder = root.resolve("devices/pci" + tree + "/" + tree + ":01.0/" + address);
    write(folder.resolve("vendor"), vendor + "\n");
    write(folder.resolve("device"), id + "\n");
    write(folder.resolve("numa_node"), numaNode + "\n");
    write(folder.resolve("uevent"), "DRIVER=x\nPCI_ID=1\nPCI_SLOT_NAME=" + address + "\n");
    link(root.resolve("bus/pci/devices/" + address), folder);
    return folder;
  }

  /** An NVIDIA GPU in a PCI tree such as {@code 0000:44}. */
  EfaTree gpu(String tree, String address, String numaNode) {
    write(pci(tree, address, "0x10de", "0x2330", numaNode).resolve("class"), "0x030200\n");
    return this;
  }

  /** An EFA device at {@code 0000:4f:00.0} in the tree {@code 0000:44}, with new counters. */
  EfaTree efa(String name, Driver driver) {
    return efa(name, "0000:44", "0000:4f:00.0", driver);
  }

  EfaTree efa(String name, String tree, String address, Driver driver) {
    Path folder = pci(tree, address, "0x1d0f", "0xefa2", "0");
    link(folder.resolve("driver"), directory(root.resolve("bus/pci/drivers/efa")));
    write(folder.resolve("p2p"), driver.compareTo(Driver.V2_5) > 0 ? "NVIDIA\n" : "");
    rdma(name, folder);
    set(name, "node_guid", driver == Driver.V2_17 ? "0abc:deff:fe12:3456" : "0000:0000:0000:0000");
    set(name, "node_type", "7: unspecified");
    set(name, "fw_ver", "");
    set(name, PORT + "state", "4: ACTIVE");
    set(name, PORT + "phys_state", "5: LinkUp");
    set(name, PORT + "rate", "100 Gb/sec (4X EDR)");
    set(name, PORT + "link_layer", "Unknown");
    set(name, PORT + "gids/0", "fe80:0000:0000:0000:0abc:deff:fe12:3456");
    counters(name, driver);
    return this;
  }

  /** Before 1.14 all counters were in the folder of the port. */
  private void counters(String name, Driver driver) {
    boolean apart = driver.compareTo(Driver.V1_10) > 0;
    String ofDevice = apart ? "hw_counters/" : PORT + "hw_counters/";
    for (int i = 0; i < DEVICE_COUNTERS.size(); i++) {
      set(name, ofDevice + DEVICE_COUNTERS.get(i), String.valueOf(i + 1));
    }
    List<String> ofPort = driver.portCounters();
    for (int i = 0; i < ofPort.size(); i++) {
      set(name, PORT + "hw_counters/" + ofPort.get(i), String.valueOf(1001 + i));
    }
    set(name, PORT + "hw_counters/lifespan", "10");
  }

  /** A ConnectX device with its files. */
  EfaTree mellanox(String name) {
    Path folder = pci("0000:a0", "0000:a1:00.0", "0x15b3", "0x1021", "1");
    link(folder.resolve("driver"), directory(root.resolve("bus/pci/drivers/mlx5_core")));
    rdma(name, folder);
    set(name, PORT + "rate", "400 Gb/sec (4X NDR)");
    set(name, PORT + "counters/port_xmit_data", "N/A (no PMA)");
    set(name, PORT + "hw_counters/out_of_buffer", "1");
    set(name, PORT + "hw_counters/lifespan", "10");
    return this;
  }

  private void rdma(String name, Path pci) {
    Path device = directory(pci.resolve("infiniband/" + name));
    link(device.resolve("device"), pci);
    link(root.resolve("class/infiniband/" + name), device);
  }

  /** Renames a device as udev does: its folder stays the same. */
  EfaTree rename(String from, String to) {
    try {
      Path link = root.resolve("class/infiniband/" + from);
      Path device = link.toRealPath();
      Files.delete(link);
      Files.move(device, device.resolveSibling(to));
      link(root.resolve("class/infiniband/" + to), device.resolveSibling(to));
      return this;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Unbinds a device from the driver. */
  EfaTree remove(String name) {
    try {
      Path link = root.resolve("class/infiniband/" + name);
      Path device = link.toRealPath();
      Files.delete(link);
      delete(device);
      return this;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Deletes a file or a folder of a device. */
  EfaTree without(String name, String below) {
    try {
      delete(file(name, below));
      return this;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static void delete(Path path) throws IOException {
    if (Files.isDirectory(path) && !Files.isSymbolicLink(path)) {
      try (Stream<Path> entries = Files.list(path)) {
        for (Path entry : entries.toList()) {
          delete(entry);
        }
      }
    }
    Files.delete(path);
  }

  Path file(String name, String below) {
    return root.resolve("class/infiniband/" + name + "/" + below);
  }

  /** Writes a file of a device, in place. */
  EfaTree set(String name, String below, String text) {
    write(file(name, below), text + "\n");
    return this;
  }

  EfaTree set(String name, String below, BigInteger value) {
    return set(name, below, value.toString());
  }

  /** Writes a file by its path from the root. */
  EfaTree write(String below, String text) {
    write(root.resolve(below), text);
    return this;
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.resolveSibling(""));
      Files.writeString(file, text);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static Path directory(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static void link(Path link, Path to) {
    try {
      Path folder = Files.createDirectories(link.resolveSibling(""));
      Files.createSymbolicLink(link, folder.relativize(to));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
