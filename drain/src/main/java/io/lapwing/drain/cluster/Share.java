package io.lapwing.drain.cluster;

/**
 * How much of a partition, a node group, an NVLink domain or the cluster is out of service, for
 * whatever reason.
 *
 * @param of its name
 */
public record Share(String of, int out, int all) {}
