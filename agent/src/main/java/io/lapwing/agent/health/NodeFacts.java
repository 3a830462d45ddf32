package io.lapwing.agent.health;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the node is, and what it should have.
 *
 * @param instanceType empty where unknown
 * @param expected what this instance type has; empty where the type is not known
 * @param expectedGpus how many GPUs there should be, by the operator's word or the instance type
 * @param pciGpus how many NVIDIA GPUs sysfs shows on the PCI bus; empty where that cannot be read
 */
public record NodeFacts(
    String hostname,
    String instanceType,
    String instanceId,
    Optional<ExpectedHardware> expected,
    OptionalInt expectedGpus,
    OptionalInt pciGpus) {}
