package io.lapwing.agent.health;

import java.util.OptionalInt;

/**
 * The hardware of an instance type.
 *
 * @param nvlinksPerGpu 0 where its GPUs have none
 * @param gpuMemoryMiB of one GPU as EC2 documents it; NVML's total differs by about 1 %
 * @param efaDevices the maximum; empty where AWS documents two numbers
 * @param efaGbps gigabits per second of one EFA device; empty if the type has no EFA
 */
public record ExpectedHardware(
    int gpus,
    String gpuModel,
    int nvlinksPerGpu,
    long gpuMemoryMiB,
    OptionalInt efaDevices,
    OptionalInt efaGbps) {}
