package io.lapwing.training;

/**
 * The GPU of a rank.
 *
 * @param index NVML's
 */
public record TrainingGpu(int index, String uuid) {}
