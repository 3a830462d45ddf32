package io.lapwing.agent.health;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the node is, and what it should have.
 *
 * @param instanceType empty where unknown
 * @param expected what this instance type has; empty where the type is not known
 * @param expectedGpus how many GPUs there should be, by the operator's word or the instance type
 * @param expectedEfaDevices how many EFA devices there should be, by the operator's word or the
 *     most that the instance type can have; empty where neither says so
 * @param pciGpus how many NVIDIA GPUs sysfs shows on the PCI bus; empty where that cannot be read
 */
public record NodeFacts(
    String hostname,
    String instanceType,
    String instanceId,
    Optional<ExpectedHardware> expected,
    OptionalInt expectedGpus,
    OptionalInt expectedEfaDevices,
    OptionalInt pciGpus) {

  /** A node of which nobody says how many EFA devices it should have. */
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
