package io.lapwing.efa;

import io.lapwing.collect.Reading;
import io.lapwing.linux.SmallFile;
import io.lapwing.metric.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An RDMA device of Amazon.
 *
 * @param name {@code rdmap79s0}, or {@code efa_0} until udev has renamed it
 * @param path {@code class/infiniband/rdmap79s0} of sysfs
 * @param pci the real path of its PCI function
 * @param pciAddress {@code 0000:4f:00.0}; empty if unknown
 */
record EfaDevice(String name, Path path, Path pci, String pciAddress, Labels labels) {

  /** Amazon's PCI vendor ID. */
  private static final String AMAZON = "0x1d0f";

  private static final String DRIVER = "efa";
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");
  private static final Pattern SLOT =
      Pattern.compile("^PCI_SLOT_NAME=(" + ADDRESS.pattern() + ")$", Pattern.MULTILINE);

  /** Whether an RDMA device is Amazon's: by its vendor, else by its driver. */
  static Reading<Boolean> isAmazons(Path path) {
    Reading<String> vendor = SmallFile.text(path.resolve("device/vendor"));
    if (vendor instanceof Reading.Present<String> present) {
      return Reading.of(present.value().equals(AMAZON));
    }
    return driver(path).equals(DRIVER) ? Reading.of(true) : vendor.map(never -> false);
  }

  private static String driver(Path path) {
    try {
      return Files.readSymbolicLink(path.resolve("device/driver")).getFileName().toString();
    } catch (IOException none) {
      return "";
    }
  }

  static EfaDevice at(Path path) {
    Path pci = real(path.resolve("device"));
    String name = path.getFileName().toString();
    return new EfaDevice(name, path, pci, address(pci), Labels.of(EfaMetrics.DEVICE, name));
  }

  private static Path real(Path link) {
    try {
      return link.toRealPath();
    } catch (IOException gone) {
      return link;
    }
  }

  private static String address(Path pci) {
    String folder = pci.getFileName().toString();
    return ADDRESS.matcher(folder).matches() ? folder : slot(pci).orElse("");
  }

  private static Optional<String> slot(Path pci) {
    return SmallFile.text(pci.resolve("uevent"))
        .toOptional()
        .map(SLOT::matcher)
        .filter(Matcher::find)
        .map(line -> line.group(1));
  }

  Path file(String below) {
    return path.resolve(below);
  }
}
