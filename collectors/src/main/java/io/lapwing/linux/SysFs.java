package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.nio.file.Path;
import java.util.List;

/** The mount point of sysfs, {@code /sys} on a plain host. */
public record SysFs(Path path) {

  private static final String PCI_DEVICES = "bus/pci/devices";
  private static final String AMAZON = "0x1d0f";

  /** 0xefa0 to 0xefa3, by generation. */
  private static final String EFA = "0xefa";

  private static final String NVIDIA = "0x10de";

  /** Display controllers; data-centre GPUs are 3D controllers, {@code 0x0302}. */
  private static final String DISPLAY = "0x03";

  /** The trimmed text of a small file, such as {@code class/dmi/id/product_name}. */
  public Reading<String> text(String file) {
    return SmallFile.text(path.resolve(file));
  }

  /** The folder of a PCI device, a link. */
  public Path pciDevice(String address) {
    return path.resolve(PCI_DEVICES).resolve(address);
  }

  /** PCI addresses of NVIDIA's GPUs, with or without a driver; missing without a PCI bus. */
  public Reading<List<String>> nvidiaGpus() {
    return Folder.of(path.resolve(PCI_DEVICES))
        .map(devices -> devices.names().stream().filter(this::isNvidiaGpu).toList());
  }

  /** PCI addresses of EFA devices, with or without a driver; missing without a PCI bus. */
  public Reading<List<String>> efaDevices() {
    return Folder.of(path.resolve(PCI_DEVICES))
        .map(devices -> devices.names().stream().filter(this::isEfa).toList());
  }

  private boolean isEfa(String address) {
    return starts(address, "vendor", AMAZON) && starts(address, "device", EFA);
  }

  private boolean isNvidiaGpu(String address) {
    return starts(address, "vendor", NVIDIA) && starts(address, "class", DISPLAY);
  }

  private boolean starts(String address, String file, String start) {
    return SmallFile.text(pciDevice(address).resolve(file))
        .toOptional()
        .filter(text -> text.startsWith(start))
        .isPresent();
  }
}
