package io.lapwing.simulator;

import java.util.List;

/**
 * One EC2 instance type with its GPUs, from {@code instances.yaml}.
 *
 * @param name "p5.48xlarge"
 * @param gpu the model of all its GPUs
 * @param busIds PCI addresses in bus order, "0000:53:00.0"
 * @param numaNodes the NUMA node of each GPU
 * @param cpus logical processors
 */
public record InstanceType(
    String name, GpuModel gpu, List<String> busIds, List<Integer> numaNodes, int cpus) {
  public InstanceType {
    busIds = List.copyOf(busIds);
    numaNodes = List.copyOf(numaNodes);
  }

  public int gpuCount() {
    return busIds.size();
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
