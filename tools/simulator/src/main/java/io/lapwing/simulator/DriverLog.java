package io.lapwing.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Messages of the kernel and of NVIDIA's driver: at a boot, when the driver is loaded and unloaded,
 * and for XIDs.
 */
final class DriverLog {
  /** Facility 3 (daemon), level 6 (info), as for all messages of systemd. */
  private static final int DAEMON_INFO = 30;

  private final InstanceType type;
  private final StateFile state;
  private final XidLines words = XidLines.load();

  /** GPUs whose UUID was logged since the driver was loaded. */
  private final Set<Integer> introduced = new TreeSet<>();

  DriverLog(InstanceType type, StateFile state) {
    this.type = type;
    this.state = state;
  }

  /** The messages of a boot before the driver is loaded. */
  List<KernelLine> boot() {
    List<KernelLine> lines = new ArrayList<>();
    lines.add(new KernelLine(5, "Linux version " + MachineTree.KERNEL + " (simulated)"));
    lines.add(KernelLine.info("DMI: Amazon EC2 " + type.name() + "/, BIOS 1.0 10/16/2017"));
    lines.add(new KernelLine(DAEMON_INFO, "systemd[1]: Detected virtualization amazon."));
    if (loaded()) {
      for (String busId : type.busIds()) {
        String enabled = "nvidia " + busId + ": enabling device (0000 -> 0002)";
        String which = "\nSUBSYSTEM=pci\nDEVICE=+pci:" + busId;
        lines.add(KernelLine.info(enabled + which));
      }
    }
    return lines;
  }

  /** Messages for a driver that was loaded or unloaded. */
  List<KernelLine> driver() {
    introduced.clear();
    if (!loaded()) {
      return List.of(
          KernelLine.info("nvidia-nvlink: Unregistered Nvlink Core, major device number 236"));
    }
    String version = state.lines().getOrDefault("driver.version", "");
    return List.of(
        KernelLine.info("nvidia-nvlink: Nvlink Core is being initialized, major device number 236"),
        new KernelLine(
            KernelLine.WARNING,
            "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  "
                + version
                + "  Release Build  (simulated)"));
  }

  /** Identifies the loaded driver, to detect changes. */
  String present() {
    Map<String, String> lines = state.lines();
    return loaded() + " " + lines.get("driver.version") + " " + lines.get("driver.generation");
  }

  private boolean loaded() {
    return !state.lines().getOrDefault("driver.loaded", "1").equals("0");
  }

  /** An XID; the first of a GPU follows messages that identify the GPU. */
  List<KernelLine> xid(int gpu, OptionalInt instance, int number, Optional<String> said) {
    List<KernelLine> lines = new ArrayList<>();
    if (introduced.add(gpu)) {
      lines.add(warning("NVRM: GPU at PCI:" + pci(gpu) + ": " + text(gpu, "uuid")));
      lines.add(warning("NVRM: GPU Board Serial Number: " + text(gpu, "serial")));
    }
    lines.add(warning(words.line(gpu, pci(gpu), instance, process(gpu, instance), number, said)));
    return lines;
  }

  private static KernelLine warning(String text) {
    return new KernelLine(KernelLine.WARNING, text);
  }

  /** In the driver's format, without the function: {@code 0000:53:00}. */
  String pci(int gpu) {
    String busId = text(gpu, "bus_id");
    int function = busId.lastIndexOf('.');
    return (function < 0 ? busId : busId.substring(0, function)).toLowerCase(Locale.ROOT);
  }

  String line(String key) {
    return state.lines().getOrDefault(key, "");
  }

  String text(int gpu, String key) {
    return state.ofGpu(gpu, key).orElse("");
  }

  Optional<GpuProcess> process(int gpu) {
    return process(gpu, OptionalInt.empty());
  }

  /** The first process on a MIG instance, or on the whole GPU. */
  private Optional<GpuProcess> process(int gpu, OptionalInt instance) {
    return GpuProcess.listed(text(gpu, "processes")).stream()
        .filter(process -> instance.isEmpty() || process.instance().equals(instance))
        .findFirst();
  }
}
