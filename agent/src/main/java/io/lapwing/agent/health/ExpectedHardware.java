package io.lapwing.agent.health;

/**
 * What an instance type has.
 *
 * @param nvlinksPerGpu 0 where its GPUs have none
 * @param gpuMemoryMiB of one GPU as EC2 says it; NVML's total differs by about a hundredth
 */
public record ExpectedHardware(int gpus, String gpuModel, int nvlinksPerGpu, long gpuMemoryMiB) {}
