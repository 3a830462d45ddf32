package io.lapwing.node;

import io.lapwing.collect.Reading;
import io.lapwing.linux.SysRoot;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * NVIDIA GPUs on the PCI bus, whatever the driver says: {@code vendor} and {@code class} of the
 * devices in {@code bus/pci/devices} of sysfs.
 */
public final class PciGpus {

  private static final String NVIDIA = "0x10de";

  /** Display controllers; data-centre GPUs are 3D controllers, {@code 0x0302}. */
  private static final String DISPLAY = "0x03";

  private PciGpus() {}

  /** How many there are; missing where sysfs shows no PCI bus. */
  public static Reading<Integer> count(SysRoot sys) {
    Path devices = sys.path().resolve("bus/pci/devices");
    int gpus = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(devices)) {
      for (Path device : all) {
        String folder = "bus/pci/devices/" + device.getFileName();
        if (starts(sys, folder + "/vendor", NVIDIA) && starts(sys, folder + "/class", DISPLAY)) {
          gpus++;
        }
      }
    } catch (NoSuchFileException none) {
      return new Reading.Missing<>(devices.toString());
    } catch (IOException unreadable) {
      return new Reading.Failed<>(devices.toString(), "io");
    }
    return Reading.of(gpus);
  }

  private static boolean starts(SysRoot sys, String file, String start) {
    return sys.text(file).toOptional().filter(text -> text.startsWith(start)).isPresent();
  }
}
