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
   * @param way from the root of its PCI tree to its folder: the bridges above it are its parents
   */
  record Place(String address, List<String> way, String numaNode) {
    Place {
      way = List.copyOf(way);
    }

    /** The one in a folder that no link leads to. */
    static Place in(Path pci, String address, String numaNode) {
      return new Place(address, GpuPlaces.way(pci), numaNode);
    }
  }

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
          Place.in(pci, address, sys.text(folder + "/numa_node").toOptional().orElse("")));
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
    List<String> way = way(pci);
    int most = places.stream().mapToInt(gpu -> shared(gpu.way(), way)).max().orElse(0);
    return places.stream()
        .filter(
            gpu ->
                most > 0
                    ? shared(gpu.way(), way) == most
                    : !numaNode.isEmpty() && gpu.numaNode().equals(numaNode))
        .map(Place::address)
        .toList();
  }

  /** The folders from the root of a PCI tree on; none where a path leads through no such tree. */
  private static List<String> way(Path pci) {
    List<String> way = new ArrayList<>();
    for (Path folder : pci) {
      String name = folder.toString();
      if (!way.isEmpty() || ROOT.matcher(name).matches()) {
        way.add(name);
      }
    }
    return way;
  }

  /** How many folders of a PCI tree, its root among them, lie above both. */
  private static int shared(List<String> one, List<String> other) {
    int end = Math.min(one.size(), other.size());
    int shared = 0;
    while (shared < end && one.get(shared).equals(other.get(shared))) {
      shared++;
    }
    return shared;
  }
}
