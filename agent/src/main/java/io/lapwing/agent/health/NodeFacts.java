package io.lapwing.agent.health;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The identity of the node, and its expected hardware.
 *
 * @param instanceType empty where unknown
 * @param expected the hardware of the instance type; empty where the type is unknown
 * @param expectedGpus from the configuration or the instance type
 * @param expectedEfaDevices from the configuration, or the maximum of the instance type; empty
 *     where neither is known
 * @param pciGpus NVIDIA GPUs on the PCI bus, from sysfs; empty where that cannot be read
 */
public record NodeFacts(
    String hostname,
    String instanceType,
    String instanceId,
    Optional<ExpectedHardware> expected,
    OptionalInt expectedGpus,
    OptionalInt expectedEfaDevices,
    OptionalInt pciGpus) {

  /** Without an expected number of EFA devices. */
  public NodeFacts(
      String hostname,
      String instanceType,
      String instanceId,
      Optional<ExpectedHardware> expected,
      OptionalInt expectedGpus,
      OptionalInt pciGpus) {
    this(hostname, instanceType, instanceId, expected, expectedGpus, OptionalInt.empty(), pciGpus);
  }
}
