package io.lapwing.agent.health;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The node's identity and expected hardware. Empty where unknown; expected numbers are from the
 * configuration or the instance type (EFA: its maximum), {@code pciGpus} from sysfs.
 */
public record NodeFacts(
    String hostname,
    String instanceType,
    String instanceId,
    Optional<ExpectedHardware> expected,
    OptionalInt expectedGpus,
    OptionalInt expectedEfaDevices,
    OptionalInt pciGpus) {

  /**
   * The hardware of an instance type. {@code gpuMemoryMiB} as EC2 documents it, NVML's total
   * differs by about 1 %; {@code efaDevices} is the maximum, empty where AWS documents two numbers;
   * {@code efaGbps} per device.
   */
  public record ExpectedHardware(
      int gpus,
      String gpuModel,
      int nvlinksPerGpu,
      long gpuMemoryMiB,
      OptionalInt efaDevices,
      OptionalInt efaGbps) {}
}
