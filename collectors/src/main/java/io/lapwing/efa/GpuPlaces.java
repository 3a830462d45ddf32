package io.lapwing.efa;

import io.lapwing.linux.SmallFile;
import io.lapwing.linux.SysFs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where NVIDIA's GPUs sit on the PCI bus, to tell which are nearest to a network device: {@code
 * vendor}, {@code class} and {@code numa_node} in {@code bus/pci/devices} of sysfs.
 */
record GpuPlaces(List<Place> places) {

  static final GpuPlaces NONE = new GpuPlaces(List.of());

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
  static GpuPlaces look(SysFs sys) {
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
