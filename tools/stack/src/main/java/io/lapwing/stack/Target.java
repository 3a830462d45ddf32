package io.lapwing.stack;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A scrape target.
 *
 * @param address {@code HOST:PORT}
 * @param labels labels of all its series; may set {@code __metrics_path__} and similar
 */
public record Target(String address, Map<String, String> labels) {

  public Target {
    labels = Map.copyOf(labels);
  }

  /** A node with the labels that the rules use: cluster and name. */
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
