package io.lapwing.gpu;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The NVLink domain of this node, as its GPUs report it. It stays when a GPU leaves the fabric, so
 * that the node is still known by it. Thread-safe.
 */
public final class FabricDomain {

  private static final List<String> NONE = List.of("", "");

  /** By the index of the GPU, so that another GPU in its place replaces it. */
  private final Map<Integer, List<String>> domains = new ConcurrentHashMap<>();

  private volatile List<String> shared = NONE;

  /** {@code domain} has the cluster UUID and the clique of a GPU. */
  void seen(int gpu, List<String> domain) {
    if (!domain.equals(domains.put(gpu, domain))) {
      List<List<String>> distinct = domains.values().stream().distinct().toList();
      shared = distinct.size() == 1 ? distinct.get(0) : NONE;
    }
  }

  /**
   * Cluster UUID with dashes, and clique; both empty until a GPU has joined a domain, and where the
   * GPUs of this node are in several.
   */
  public List<String> get() {
    return shared;
  }
}
