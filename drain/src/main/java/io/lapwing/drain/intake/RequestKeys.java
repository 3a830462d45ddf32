package io.lapwing.drain.intake;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.request.Request;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Keys of recently accepted requests, and their nodes. Thread-safe. */
final class RequestKeys {

  private final SeenKeys keys;

  /** By node and key, when it was added. */
  private final Map<NodeName, Map<String, Instant>> byNode = new HashMap<>();

  RequestKeys(SeenKeys keys) {
    this.keys = keys;
  }

  /** Returns whether it is new. */
  synchronized boolean add(Request request, Instant now) {
    if (keys.contains(request.key(), now)) {
      return false;
    }
    keys.add(request.key(), now);
    Map<String, Instant> ofNode = byNode.computeIfAbsent(request.node(), any -> new HashMap<>());
    ofNode.keySet().removeIf(key -> !keys.contains(key, now));
    ofNode.put(request.key(), now);
    return true;
  }

  synchronized void remove(Request request) {
    keys.remove(request.key());
  }

  /** Those of a node that were added at a time or later. */
  synchronized void forget(NodeName node, Instant since) {
    byNode
        .getOrDefault(node, Map.of())
        .forEach(
            (key, added) -> {
              if (!added.isBefore(since)) {
                keys.remove(key);
              }
            });
  }
}
