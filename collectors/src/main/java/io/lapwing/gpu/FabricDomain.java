package io.lapwing.gpu;

import java.util.List;

/**
 * The NVLink domain of this node, as its GPUs report it. It stays when a GPU leaves the fabric, so
 * that the node is still known by it. Thread-safe.
 */
public final class FabricDomain {

  private static final List<String> NONE = List.of("", "");

  private volatile List<String> latest = NONE;

  void seen(List<String> clusterAndClique) {
    latest = clusterAndClique;
  }

  /** Cluster UUID with dashes, and clique; both empty until a GPU has joined a domain. */
  public List<String> get() {
    return latest;
  }
}
