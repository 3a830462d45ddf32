package io.lapwing.agent.health;

/**
 * What an instance type has.
 *
 * @param nvlinksPerGpu 0 where its GPUs have none
 * @param gpuMemoryMiB as NVML reports the total of one GPU
 */
public record ExpectedHardware(int gpus, String gpuModel, int nvlinksPerGpu, long gpuMemoryMiB) {}
