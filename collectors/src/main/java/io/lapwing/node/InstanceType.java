package io.lapwing.node;

import java.util.OptionalInt;

/**
 * What an EC2 instance type has: one row of {@code instances.csv}.
 *
 * @param name {@code p5.48xlarge}
 * @param gpuModel a part of the name that NVML gives its GPUs: {@code H100}
 * @param gpuMemoryMiB of one GPU as EC2 says it; NVML's total differs by about a hundredth
 * @param efaDevices the most there can be; an operator may attach fewer
 * @param efaGbps of one EFA device; empty where there is none
 * @param nvlinksPerGpu active ones; 0 where its GPUs have none
 * @param bf16Teraflops dense, of one GPU; empty where unknown
 * @param fp8Teraflops dense, of one GPU; empty where unknown or where the GPU has no FP8
 * @param source where the figures come from
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

  /** How sure the figures are. */
  public enum Certainty {
    /** GPUs, memory and EFA devices stand so in EC2's own data. */
    LISTED,
    /** Something follows from something else. */
    INFERRED,
    /** AWS says two things of its EFA devices. */
    CONFLICTING
  }

  /** How many EFA devices there can be at most; empty where AWS says two things of it. */
  public OptionalInt certainEfaDevices() {
    return certainty == Certainty.CONFLICTING ? OptionalInt.empty() : OptionalInt.of(efaDevices);
  }
}
