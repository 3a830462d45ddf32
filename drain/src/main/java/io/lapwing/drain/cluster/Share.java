package io.lapwing.drain.cluster;

/**
 * How much of a partition, a node group, an NVLink domain or the cluster is out of service, whoever
 * took it.
 *
 * @param of its name
 */
public record Share(String of, int out, int all) {

  Share plus(boolean isOut) {
    return new Share(of, out + (isOut ? 1 : 0), all + 1);
  }
}
