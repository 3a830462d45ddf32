package io.lapwing.nccl;

/**
 * A process of this node.
 *
 * @param start in ticks since boot, field 22 of {@code <pid>/stat}: the same number again for
 *     another process is another process
 */
record LocalProcess(int pid, long start) {}
