package io.lapwing.stack;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A page that Prometheus scrapes.
 *
 * @param address {@code HOST:PORT}
 * @param labels of every series of it; may set {@code __metrics_path__} and its like
 */
public record Target(String address, Map<String, String> labels) {

  public Target {
    labels = Map.copyOf(labels);
  }

  /** A node as the rules know it: by its cluster and its name. */
  public static Target node(String address, String cluster, String instance) {
    return new Target(address, Map.of("cluster", cluster, "instance", instance));
  }

  /** With one more label. */
  public Target with(String label, String value) {
    Map<String, String> more = new LinkedHashMap<>(labels);
    more.put(label, value);
    return new Target(address, more);
  }
}
