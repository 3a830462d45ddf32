package io.lapwing.simulator;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** GPUs in /sys and /proc: the PCI devices and the driver's files. */
record GpuTree(InstanceType type, StateFile state, PciTree pci, KernelTree sys, KernelTree proc) {
  private static final List<String> SPEEDS =
      List.of("Unknown", "2.5", "5.0", "8.0", "16.0", "32.0", "64.0");

  void write() throws IOException {
    writeDriver();
    writeDevices();
  }

  /** The GPUs on the bus; a missing one has no files. */
  void writeDevices() throws IOException {
    for (int gpu = 0; gpu < type.gpuCount(); gpu++) {
      String busId = type.busIds().get(gpu);
      if (isOnBus(gpu)) {
        writePciDevice(busId, type.numaNodes().get(gpu));
        proc.write(file(busId), information(gpu, busId));
      } else {
        pci.remove(busId);
        proc.remove(file(busId));
        proc.remove("driver/nvidia/gpus/" + busId);
      }
    }
    writeLinks();
  }

  private static String file(String busId) {
    return "driver/nvidia/gpus/" + busId + "/information";
  }

  private boolean isOnBus(int gpu) {
    return !state.lines().getOrDefault("pci.gpu." + gpu + ".missing", "0").equals("1");
  }

  /** The PCIe links as in the library, if a line has plain numbers. */
  void writeLinks() throws IOException {
    for (int gpu = 0; gpu < type.gpuCount(); gpu++) {
      if (isOnBus(gpu)) {
        String device = pci.folder(type.busIds().get(gpu)) + "/";
        sys.write(device + "current_link_width", state.ofGpu(gpu, "pcie.width").orElse("16"));
        sys.write(device + "current_link_speed", speed(gpu));
      }
    }
  }

  private String speed(int gpu) {
    Optional<String> generation = state.ofGpu(gpu, "pcie.generation");
    return isGeneration(generation) ? speed(generation) : type.gpu().linkSpeed();
  }

  private static boolean isGeneration(Optional<String> text) {
    return text.filter(generation -> generation.matches("[1-6]")).isPresent();
  }

  /** As the kernel writes the speed of a PCIe generation; "Unknown" without one. */
  static String speed(Optional<String> generation) {
    return isGeneration(generation)
        ? SPEEDS.get(Integer.parseInt(generation.orElseThrow())) + " GT/s PCIe"
        : SPEEDS.get(0);
  }

  /** Without a loaded driver its files do not exist. */
  void writeDriver() throws IOException {
    Map<String, String> lines = state.lines();
    String driver = lines.getOrDefault("driver.version", "");
    if (lines.getOrDefault("driver.loaded", "1").equals("0")) {
      sys.remove("module/nvidia/version");
      proc.remove("driver/nvidia/version");
    } else {
      sys.write("module/nvidia/version", driver);
      proc.write("driver/nvidia/version", versionText(driver));
    }
  }

  private void writePciDevice(String busId, int numaNode) throws IOException {
    String device = pci.folder(busId) + "/";
    pci.add(busId);
    sys.write(device + "vendor", "0x10de");
    sys.write(device + "device", type.gpu().pciDevice());
    sys.write(device + "class", "0x030200");
    sys.write(device + "numa_node", Integer.toString(numaNode));
    sys.write(device + "max_link_speed", type.gpu().linkSpeed());
    sys.write(device + "max_link_width", "16");
  }

  private String versionText(String driver) {
    return "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  "
        + driver
        + "  Release Build  (simulated)\nGCC version:  gcc version 12.2.0";
  }

  private String information(int gpu, String busId) {
    return """
        Model: \t\t %s
        IRQ:   \t\t %d
        GPU UUID: \t %s
        Video BIOS: \t %s
        Bus Type: \t PCIe
        DMA Size: \t 52 bits
        DMA Mask: \t 0xfffffffffffff
        Bus Location: \t %s
        Device Minor: \t %d
        GPU Excluded:\t No"""
        .formatted(
            type.gpu().name(),
            200 + gpu,
            state.ofGpu(gpu, "uuid").orElse(""),
            type.gpu().state().getOrDefault("vbios", "").toLowerCase(Locale.ROOT),
            busId,
            gpu);
  }
}
