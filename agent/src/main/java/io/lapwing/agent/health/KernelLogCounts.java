package io.lapwing.agent.health;

/**
 * The reading of the kernel log.
 *
 * @param readable whether it can be read
 * @param messages of NVIDIA's drivers that were read since the agent started
 * @param lost messages that the kernel overwrote before they could be read
 */
public record KernelLogCounts(boolean readable, long messages, long lost) {}
