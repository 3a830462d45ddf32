package io.lapwing.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * PCI devices in /sys: the folder below the device's bridges, which shows the topology, and the
 * link in {@code bus/pci/devices}.
 */
record PciTree(InstanceType type, KernelTree sys) {
  private static final String LINKS = "bus/pci/devices/";

  /** The folder of a device, from the root of /sys. */
  String folder(String busId) {
    return type.switches().stream()
        .flatMap(each -> each.folder(busId).stream())
        .findFirst()
        .orElseGet(() -> "devices/pci" + busId.substring(0, 7) + "/" + busId);
  }

  boolean has(String busId) {
    return Files.exists(sys.root().resolve(LINKS + busId));
  }

  /** Adds a device to the bus. */
  void add(String busId) throws IOException {
    Files.createDirectories(sys.root().resolve(folder(busId)));
    link(LINKS + busId, folder(busId));
  }

  /** Removes a device and everything below its folder. */
  void remove(String busId) throws IOException {
    Files.deleteIfExists(sys.root().resolve(LINKS + busId));
    delete(sys.root().resolve(folder(busId)));
  }

  /** The link {@code device} of a driver's object, by name as in the kernel. */
  void linkDevice(String made, String busId) throws IOException {
    Path link = sys.root().resolve(made + "/device");
    if (!Files.isSymbolicLink(link)) {
      Files.createSymbolicLink(link, Path.of("../../../" + busId));
    }
  }

  /** A link from one place in /sys to another, relative as the kernel's own are. */
  void link(String from, String to) throws IOException {
    int name = from.lastIndexOf('/') + 1;
    Path folder = sys.root().resolve(from.substring(0, name));
    Path link = folder.resolve(from.substring(name));
    Files.createDirectories(folder);
    if (!Files.isSymbolicLink(link)) {
      Files.createSymbolicLink(link, folder.relativize(sys.root().resolve(to)));
    }
  }

  /** Deletes a file or a folder with its content; does not follow links. */
  static void delete(Path path) throws IOException {
    if (!Files.exists(path)) {
      Files.deleteIfExists(path);
      return;
    }
    try (Stream<Path> below = Files.walk(path)) {
      for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
