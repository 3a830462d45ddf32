package io.lapwing.efa;

import io.lapwing.linux.FolderNames;
import io.lapwing.linux.SysRoot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where NVIDIA's GPUs sit on the PCI bus, to tell which are nearest to a network device: {@code
 * vendor}, {@code class} and {@code numa_node} in {@code bus/pci/devices} of sysfs.
 */
record GpuPlaces(List<Place> places) {

  static final GpuPlaces NONE = new GpuPlaces(List.of());

  private static final String NVIDIA = "0x10de";

  /** Display controllers; data-centre GPUs are 3D controllers, {@code 0x0302}. */
  private static final String DISPLAY = "0x03";

  /** Where a tree of PCI devices begins: {@code pci0000:44}. */
  private static final Pattern ROOT = Pattern.compile("pci[0-9a-f]{4,8}:[0-9a-f]{2}");

  /**
   * One GPU.
   *
   * @param pci its folder, without links on the way: the bridges above it are its parents
   */
  record Place(String address, Path pci, String numaNode) {}

  GpuPlaces {
    places = List.copyOf(places);
  }

  /** Looks at the PCI bus; what cannot be read is no GPU. */
  static GpuPlaces look(SysRoot sys) {
    Path devices = sys.path().resolve("bus/pci/devices");
    List<Place> places = new ArrayList<>();
    for (String address : FolderNames.of(devices).toOptional().orElse(Set.of())) {
      String folder = "bus/pci/devices/" + address;
      if (starts(sys, folder + "/vendor", NVIDIA) && starts(sys, folder + "/class", DISPLAY)) {
        place(sys, folder, address).ifPresent(places::add);
      }
    }
    return new GpuPlaces(places);
  }

  private static boolean starts(SysRoot sys, String file, String start) {
    return sys.text(file).toOptional().filter(text -> text.startsWith(start)).isPresent();
  }

  private static Optional<Place> place(SysRoot sys, String folder, String address) {
    try {
      Path pci = sys.path().resolve(folder).toRealPath();
      return Optional.of(
          new Place(address, pci, sys.text(folder + "/numa_node").toOptional().orElse("")));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /**
   * The GPUs with which a device shares most of the way from the root of its PCI tree; where it
   * shares a tree with none, those of its NUMA node.
   *
   * @param numaNode empty where it is not known
   */
  List<String> nearest(Path pci, String numaNode) {
    int most = places.stream().mapToInt(gpu -> shared(gpu.pci(), pci)).max().orElse(0);
    return places.stream()
        .filter(
            gpu ->
                most > 0
                    ? shared(gpu.pci(), pci) == most
                    : !numaNode.isEmpty() && gpu.numaNode().equals(numaNode))
        .map(Place::address)
        .toList();
  }

  /** How many folders of a PCI tree, its root among them, lie above both. */
  private static int shared(Path one, Path other) {
    int end = Math.min(one.getNameCount(), other.getNameCount());
    int shared = 0;
    boolean inTree = false;
    for (int i = 0; i < end && one.getName(i).equals(other.getName(i)); i++) {
      inTree |= ROOT.matcher(one.getName(i).toString()).matches();
      shared += inTree ? 1 : 0;
    }
    return shared;
  }
}
