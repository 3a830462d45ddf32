package io.lapwing.simulator;

import java.util.List;
import java.util.Optional;

/**
 * One EC2 instance type with its GPUs, from {@code instances.yaml}.
 *
 * @param name "p5.48xlarge"
 * @param gpu the model of all its GPUs
 * @param busIds PCI addresses in bus order, "0000:53:00.0"
 * @param numaNodes the NUMA node of each GPU
 * @param cpus logical processors
 * @param efa the model of all its EFA devices; empty if it has none
 * @param switches PCIe topology, in the order of EFA device numbers
 */
public record InstanceType(
    String name,
    GpuModel gpu,
    List<String> busIds,
    List<Integer> numaNodes,
    int cpus,
    Optional<EfaModel> efa,
    List<PciSwitch> switches) {
  public InstanceType {
    busIds = List.copyOf(busIds);
    numaNodes = List.copyOf(numaNodes);
    switches = List.copyOf(switches);
  }

  public int gpuCount() {
    return busIds.size();
  }

  /** Whether NVSwitches connect its GPUs. */
  boolean hasSwitches() {
    return gpuCount() > 1 && !"0".equals(gpu.state().get("nvlink.count"));
  }

  public int efaCount() {
    return switches.stream().mapToInt(each -> each.efa().size()).sum();
  }

  /** The same without EFA interfaces; such a node is created faster. */
  public InstanceType withoutEfa() {
    return new InstanceType(
        name,
        gpu,
        busIds,
        numaNodes,
        cpus,
        Optional.empty(),
        switches.stream().map(PciSwitch::withoutEfa).toList());
  }

  /**
   * The type of that name.
   *
   * @throws IllegalArgumentException naming the known types, if it is unknown
   */
  public static InstanceType named(String name) {
    return InstanceCatalogue.load().named(name);
  }

  /** All known types, in the order of {@code instances.yaml}. */
  public static List<InstanceType> all() {
    return InstanceCatalogue.load().types();
  }
}
