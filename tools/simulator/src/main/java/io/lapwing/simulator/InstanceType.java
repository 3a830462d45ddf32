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
 * @param efa the model of all its EFA devices; empty where it has none
 * @param switches what hangs near what, in the order in which EFA devices are numbered
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

  public int efaCount() {
    return switches.stream().mapToInt(each -> each.efa().size()).sum();
  }

  /** The same, when its owner has attached no EFA interface: GPUs alone, which are made faster. */
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
   * @throws IllegalArgumentException naming the known types, when it is none of them
   */
  public static InstanceType named(String name) {
    return InstanceCatalogue.load().named(name);
  }

  /** All types that can be simulated, in the order of {@code instances.yaml}. */
  public static List<InstanceType> all() {
    return InstanceCatalogue.load().types();
  }
}
