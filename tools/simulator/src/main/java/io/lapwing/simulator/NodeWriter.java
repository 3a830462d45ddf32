package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the folder of a new node. What EFA and Lustre add to it belongs here, as further trees.
 */
final class NodeWriter {
  static final String LIBRARY = "lib/libnvidia-ml.so.1";
  static final String CUDA = "lib/libcuda.so.1";
  static final String DCGM_4 = "lib/libdcgm.so.4";
  static final String DCGM_3 = "lib/libdcgm.so.3";
  private static final String MARKER = "lapwing_simulated";

  private NodeWriter() {}

  /** Writes the constant files: the libraries, and the marker of a simulated node. */
  static void write(Path dir, InstanceType type, Variant variant) throws IOException {
    NodeFolder.clear(dir);
    writeLibraries(dir, variant);
    new KernelTree(dir.resolve("sys")).write(MARKER, "instance type " + type.name());
    writeServices(dir, type);
    Files.writeString(dir.resolve("README"), readme(type), StandardCharsets.UTF_8);
  }

  /**
   * Fabric Manager runs on nodes with NVSwitches of their own, IMEX on those whose switches are
   * elsewhere. systemd keeps a link for each unit that runs.
   */
  private static void writeServices(Path dir, InstanceType type) throws IOException {
    if (type.hasSwitches()) {
      String unit = type.gpu().isOfDomain() ? "nvidia-imex" : "nvidia-fabricmanager";
      Path link = dir.resolve("run/systemd/units/invocation:" + unit + ".service");
      Files.createDirectories(link.getParent());
      Files.createSymbolicLink(link, Path.of("0123456789abcdef0123456789abcdef"));
    }
  }

  /** The chosen variant under the plain name, and each under its own folder. */
  private static void writeLibraries(Path dir, Variant chosen) throws IOException {
    for (Variant variant : Variant.values()) {
      NativeFiles.copy(variant.builtAs(), dir.resolve(variant.path()));
    }
    NativeFiles.copy(chosen.builtAs(), dir.resolve(LIBRARY));
    NativeFiles.copy("libcuda.so.1", dir.resolve(CUDA));
    NativeFiles.copy("libdcgm.so.4", dir.resolve(DCGM_4));
    NativeFiles.copy("libdcgm.so.3", dir.resolve(DCGM_3));
  }

  /** Adds the scenario to the marker of a simulated node. */
  static void mark(Path dir, InstanceType type, String scenario) throws IOException {
    new KernelTree(dir.resolve("sys"))
        .write(MARKER, "instance type " + type.name() + ", scenario " + scenario);
  }

  private static String readme(InstanceType type) {
    return """
        This folder is a simulated %s. Nothing in it is a measurement.

        state   state of the libraries in lib*/; changes take effect at once
        lib     libnvidia-ml.so.1 with the real interface; libcuda.so.1 with the
                driver API; libdcgm.so.4 and .3 with a host engine in them;
                lib-mid, lib-old and lib-empty are other drivers
        sys     in place of /sys
        proc    in place of /proc
        dev     dev/kmsg in place of the kernel log
        """
        .formatted(type.name());
  }
}
