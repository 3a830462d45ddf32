package io.lapwing.agent.health;

import java.util.OptionalInt;

/**
 * What an instance type has.
 *
 * @param nvlinksPerGpu 0 where its GPUs have none
 * @param gpuMemoryMiB of one GPU as EC2 says it; NVML's total differs by about a hundredth
 * @param efaDevices the most there can be; empty where AWS says two things of it
 * @param efaGbps gigabits a second of one EFA device; empty where there is none
 */
public record ExpectedHardware(
    int gpus,
    String gpuModel,
    int nvlinksPerGpu,
    long gpuMemoryMiB,
    OptionalInt efaDevices,
    OptionalInt efaGbps) {}
