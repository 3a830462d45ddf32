package io.lapwing.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the kernel and NVIDIA's driver print: at a boot, when the driver comes and goes, at XIDs.
 */
final class DriverLog {
  /** Facility 3, level 6: a daemon's, as everything that systemd says. */
  private static final int DAEMON_INFO = 30;

  private final InstanceType type;
  private final StateFile state;
  private final XidLines words = XidLines.load();

  /** GPUs whose UUID was printed since the driver came. */
  private final Set<Integer> introduced = new TreeSet<>();

  DriverLog(InstanceType type, StateFile state) {
    this.type = type;
    this.state = state;
  }

  /** The first messages of a boot, until the driver comes. */
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

  /** That the driver has come, or gone. */
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

  /** Which driver is there, to tell whether it changed. */
  String present() {
    Map<String, String> lines = state.lines();
    return loaded() + " " + lines.get("driver.version") + " " + lines.get("driver.generation");
  }

  private boolean loaded() {
    return !state.lines().getOrDefault("driver.loaded", "1").equals("0");
  }

  /** An XID; before the first of a GPU, who that GPU is. */
  List<KernelLine> xid(int gpu, int number, Optional<String> said) {
    List<KernelLine> lines = new ArrayList<>();
    if (introduced.add(gpu)) {
      lines.add(warning("NVRM: GPU at PCI:" + pci(gpu) + ": " + text(gpu, "uuid")));
      lines.add(warning("NVRM: GPU Board Serial Number: " + text(gpu, "serial")));
    }
    lines.add(warning(words.line(gpu, pci(gpu), process(gpu), number, said)));
    return lines;
  }

  private static KernelLine warning(String text) {
    return new KernelLine(KernelLine.WARNING, text);
  }

  /** As the driver writes it: without the function, {@code 0000:53:00}. */
  String pci(int gpu) {
    String busId = text(gpu, "bus_id");
    int function = busId.lastIndexOf('.');
    return (function < 0 ? busId : busId.substring(0, function)).toLowerCase(Locale.ROOT);
  }

  String text(int gpu, String key) {
    return state.ofGpu(gpu, key).orElse("");
  }

  Optional<GpuProcess> process(int gpu) {
    return GpuProcess.listed(text(gpu, "processes")).stream().findFirst();
  }
}
