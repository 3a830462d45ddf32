package io.lapwing.metric;

import java.util.List;

/**
 * One family on the page.
 *
 * @param name the exposed name, letter for letter
 * @param type how the value moves
 * @param help one sentence that ends with the source of the value: the C function, field id or file
 * @param labels the label names that its series carry by default, in page order
 * @param listed whether it stands on the page; health rules read it all the same
 */
public record Metric(
    String name, MetricType type, String help, List<String> labels, boolean listed) {

  private static final String OWN_PREFIX = "lapwing_";

  public Metric {
    if (!name.matches("[a-zA-Z_][a-zA-Z0-9_]*")) {
      throw new IllegalArgumentException("not a metric name: '" + name + "'");
    }
    if (help.isBlank()) {
      throw new IllegalArgumentException(name + " has no help");
    }
    if (name.startsWith(OWN_PREFIX) && (type == MetricType.COUNTER) != name.endsWith("_total")) {
      throw new IllegalArgumentException(name + ": counters, and only they, end in _total");
    }
    labels = List.copyOf(labels);
  }

  /** A family on the page. */
  public Metric(String name, MetricType type, String help, List<String> labels) {
    this(name, type, help, labels, true);
  }

  /** The same, kept off the page. */
  public Metric unlisted() {
    return new Metric(name, type, help, labels, false);
  }

  public static Metric gauge(String name, String help, String... labels) {
    return new Metric(name, MetricType.GAUGE, help, List.of(labels));
  }

  public static Metric counter(String name, String help, String... labels) {
    return new Metric(name, MetricType.COUNTER, help, List.of(labels));
  }

  /**
   * Whether the name is another exporter's, kept letter for letter so that its users' queries go on
   * working.
   */
  public boolean foreign() {
    return !name.startsWith(OWN_PREFIX);
  }
}
