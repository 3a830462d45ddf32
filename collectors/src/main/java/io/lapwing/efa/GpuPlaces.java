package io.lapwing.efa;

import io.lapwing.linux.SmallFile;
import io.lapwing.linux.SysFs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The places of NVIDIA's GPUs on the PCI bus, from {@code bus/pci/devices} of sysfs. */
record GpuPlaces(List<Place> places) {

  static final GpuPlaces NONE = new GpuPlaces(List.of());

  /** The root of a PCI tree: {@code pci0000:44}. */
  private static final Pattern ROOT = Pattern.compile("pci[0-9a-f]{4,8}:[0-9a-f]{2}");

  /** {@code pciPath} has the folders from the root of its PCI tree: the bridges, then itself. */
  record Place(String address, List<String> pciPath, String numaNode) {
    Place {
      pciPath = List.copyOf(pciPath);
    }

    static Place in(Path pci, String address, String numaNode) {
      return new Place(address, GpuPlaces.pciPath(pci), numaNode);
    }
  }

  GpuPlaces {
    places = List.copyOf(places);
  }

  /** Reads the PCI bus; unreadable devices are skipped. */
  static GpuPlaces read(SysFs sys) {
    return new GpuPlaces(
        sys.nvidiaGpus().toOptional().orElse(List.of()).stream()
            .flatMap(address -> place(sys.pciDevice(address), address).stream())
            .toList());
  }

  private static Optional<Place> place(Path link, String address) {
    try {
      Path pci = link.toRealPath();
      String numaNode = SmallFile.text(pci.resolve("numa_node")).toOptional().orElse("");
      return Optional.of(Place.in(pci, address, numaNode));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** The GPUs with the longest common PCI path; without one, those of its NUMA node, if any. */
  List<String> nearest(Path pci, String numaNode) {
    List<String> pciPath = pciPath(pci);
    int longest = places.stream().mapToInt(gpu -> shared(gpu.pciPath(), pciPath)).max().orElse(0);
    return places.stream()
        .filter(
            gpu ->
                longest > 0
                    ? shared(gpu.pciPath(), pciPath) == longest
                    : !numaNode.isEmpty() && gpu.numaNode().equals(numaNode))
        .map(Place::address)
        .toList();
  }

  /** The folders from the root of the PCI tree; empty if the path has none. */
  private static List<String> pciPath(Path pci) {
    List<String> pciPath = new ArrayList<>();
    for (Path folder : pci) {
      String name = folder.toString();
      if (!pciPath.isEmpty() || ROOT.matcher(name).matches()) {
        pciPath.add(name);
      }
    }
    return pciPath;
  }

  /** Number of common folders, including the root. */
  private static int shared(List<String> one, List<String> other) {
    int end = Math.min(one.size(), other.size());
    int shared = 0;
    while (shared < end && one.get(shared).equals(other.get(shared))) {
      shared++;
    }
    return shared;
  }

  /** The GPUs nearest to one device; found again only where a GPU or the device has moved. */
  static final class Nearest {

    private final Path pci;
    private final Supplier<GpuPlaces> gpus;
    private GpuPlaces places = NONE;
    private String numaNode = "";
    private List<String> found = List.of();

    Nearest(Path pci, Supplier<GpuPlaces> gpus) {
      this.pci = pci;
      this.gpus = gpus;
    }

    /** For a device of this NUMA node. */
    List<String> of(String numaNodeNow) {
      GpuPlaces now = gpus.get();
      if (!now.equals(places) || !numaNode.equals(numaNodeNow)) {
        places = now;
        numaNode = numaNodeNow;
        found = now.nearest(pci, numaNodeNow);
      }
      return found;
    }
  }
}
