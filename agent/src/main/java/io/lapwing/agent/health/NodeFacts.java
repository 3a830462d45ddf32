package io.lapwing.agent.health;

import io.lapwing.node.Platform;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The identity of the node, and its expected hardware.
 *
 * @param instanceType empty where unknown
 * @param expected the hardware of the instance type; empty where the type is unknown
 * @param expectedGpus from the configuration or the instance type
 * @param expectedEfaDevices from the configuration; empty where that has none
 * @param pciGpus NVIDIA GPUs on the PCI bus, from sysfs; empty where that cannot be read
 * @param pciEfaDevices EFA devices on the PCI bus, likewise
 * @param fabricManagerRunning whether systemd runs the unit {@code nvidia-fabricmanager}; empty
 *     where systemd's state cannot be read
 * @param platform what schedules work on it, for commands
 */
public record NodeFacts(
    String hostname,
    String instanceType,
    String instanceId,
    Optional<ExpectedHardware> expected,
    OptionalInt expectedGpus,
    OptionalInt expectedEfaDevices,
    OptionalInt pciGpus,
    OptionalInt pciEfaDevices,
    Optional<Boolean> fabricManagerRunning,
    Platform.Found platform) {

  /** Of an unknown platform. */
  public NodeFacts(
      String hostname,
      String instanceType,
      String instanceId,
      Optional<ExpectedHardware> expected,
      OptionalInt expectedGpus,
      OptionalInt expectedEfaDevices,
      OptionalInt pciGpus,
      OptionalInt pciEfaDevices,
      Optional<Boolean> fabricManagerRunning) {
    this(
        hostname,
        instanceType,
        instanceId,
        expected,
        expectedGpus,
        expectedEfaDevices,
        pciGpus,
        pciEfaDevices,
        fabricManagerRunning,
        Platform.Found.UNKNOWN);
  }

  public NodeFacts(
      String hostname,
      String instanceType,
      String instanceId,
      Optional<ExpectedHardware> expected,
      OptionalInt expectedGpus,
      OptionalInt expectedEfaDevices,
      OptionalInt pciGpus) {
    this(
        hostname,
        instanceType,
        instanceId,
        expected,
        expectedGpus,
        expectedEfaDevices,
        pciGpus,
        OptionalInt.empty(),
        Optional.empty());
  }

  /** The configuration or the instance type; without either, the GPUs on the PCI bus. */
  public OptionalInt gpusThatShouldBeThere() {
    return expectedGpus.isPresent() ? expectedGpus : pciGpus;
  }

  /**
   * The hardware of an instance type.
   *
   * @param nvlinksPerGpu 0 where its GPUs have none
   * @param gpuMemoryMiB of one GPU as EC2 documents it; NVML's total differs by about 1 %
   * @param efaDevices the maximum, of which a launch template may attach fewer; empty where AWS
   *     documents two numbers
   * @param efaGbps gigabits per second of one EFA device; empty if the type has no EFA
   */
  public record ExpectedHardware(
      int gpus,
      String gpuModel,
      int nvlinksPerGpu,
      long gpuMemoryMiB,
      OptionalInt efaDevices,
      OptionalInt efaGbps) {}
}
