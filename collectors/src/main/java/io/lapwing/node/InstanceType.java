package io.lapwing.node;

import java.util.OptionalInt;

/**
 * The hardware of an EC2 instance type: one row of {@code instances.csv}.
 *
 * @param name {@code p5.48xlarge}
 * @param gpuModel a part of the GPUs' name in NVML: {@code H100}
 * @param gpuMemoryMiB of one GPU by EC2; NVML's total differs by about 1 %
 * @param efaDevices the maximum; fewer may be attached
 * @param efaGbps of one EFA device; empty without EFA
 * @param nvlinksPerGpu active links; 0 without NVLink
 * @param bf16Teraflops dense, of one GPU; empty if unknown
 * @param fp8Teraflops dense, of one GPU; empty if unknown or without FP8
 * @param source of the figures
 */
public record InstanceType(
    String name,
    int gpus,
    String gpuModel,
    long gpuMemoryMiB,
    int efaDevices,
    OptionalInt efaGbps,
    int nvlinksPerGpu,
    OptionalInt bf16Teraflops,
    OptionalInt fp8Teraflops,
    String source,
    Certainty certainty) {

  /** How reliable the figures are. */
  public enum Certainty {
    /** GPUs, memory and EFA devices are from EC2's own data. */
    LISTED,
    /** Some figures are derived from others. */
    INFERRED,
    /** AWS sources contradict each other about EFA devices. */
    CONFLICTING
  }

  /** The maximum of EFA devices; empty if AWS sources contradict each other. */
  public OptionalInt certainEfaDevices() {
    return certainty == Certainty.CONFLICTING ? OptionalInt.empty() : OptionalInt.of(efaDevices);
  }
}
