package io.lapwing.simulator;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** What /sys and /proc say of the GPUs: the PCI devices and the driver's own files. */
record GpuTree(InstanceType type, Map<String, String> state) {
  void write(KernelTree sys, KernelTree proc) throws IOException {
    writeDriver(sys, proc);
    for (int gpu = 0; gpu < type.gpuCount(); gpu++) {
      String busId = type.busIds().get(gpu);
      writePciDevice(sys, busId, type.numaNodes().get(gpu));
      proc.write("driver/nvidia/gpus/" + busId + "/information", information(gpu, busId));
    }
  }

  /** While the driver is not loaded, its files are not there. */
  void writeDriver(KernelTree sys, KernelTree proc) throws IOException {
    String driver = state.getOrDefault("driver.version", "");
    if (state.getOrDefault("driver.loaded", "1").equals("0")) {
      sys.remove("module/nvidia/version");
      proc.remove("driver/nvidia/version");
    } else {
      sys.write("module/nvidia/version", driver);
      proc.write("driver/nvidia/version", versionText(driver));
    }
  }

  private void writePciDevice(KernelTree sys, String busId, int numaNode) throws IOException {
    String device = "bus/pci/devices/" + busId + "/";
    sys.write(device + "vendor", "0x10de");
    sys.write(device + "device", type.gpu().pciDevice());
    sys.write(device + "class", "0x030200");
    sys.write(device + "numa_node", Integer.toString(numaNode));
    sys.write(device + "current_link_speed", type.gpu().linkSpeed());
    sys.write(device + "max_link_speed", type.gpu().linkSpeed());
    sys.write(device + "current_link_width", "16");
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
            state.getOrDefault("gpu." + gpu + ".uuid", ""),
            type.gpu().state().getOrDefault("vbios", "").toLowerCase(Locale.ROOT),
            busId,
            gpu);
  }
}
