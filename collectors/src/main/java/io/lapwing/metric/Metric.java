package io.lapwing.metric;

import java.util.ArrayList;
import java.util.List;

/**
 * One family on the page. A histogram's own samples are its buckets; {@link #count} and {@link
 * #sum} are the same family with its other samples.
 *
 * @param name the exposed name, letter for letter
 * @param type how the value moves
 * @param help one sentence that ends with the source of the value: the C function, field id or file
 * @param labels the label names that its series carry by default, in page order
 * @param listed whether it stands on the page; health rules read it all the same
 * @param suffix what its samples carry behind the name: {@code _bucket}, {@code _count}, {@code
 *     _sum} or nothing
 */
public record Metric(
    String name, MetricType type, String help, List<String> labels, boolean listed, String suffix) {

  private static final String OWN_PREFIX = "lapwing_";
  private static final String BUCKET = "_bucket";
  private static final String COUNT = "_count";
  private static final String SUM = "_sum";

  /** The label of a bucket's upper bound, the last one: {@code 1.0}, {@code 2.0}, {@code +Inf}. */
  public static final String LE = "le";

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
    this(name, type, help, labels, true, "");
  }

  /** The same, kept off the page. */
  public Metric unlisted() {
    return new Metric(name, type, help, labels, false, suffix);
  }

  public static Metric gauge(String name, String help, String... labels) {
    return new Metric(name, MetricType.GAUGE, help, List.of(labels));
  }

  public static Metric counter(String name, String help, String... labels) {
    return new Metric(name, MetricType.COUNTER, help, List.of(labels));
  }

  /**
   * The buckets of a histogram, each with how many were at most its bound.
   *
   * @param labels without {@code le}
   */
  public static Metric histogram(String name, String help, String... labels) {
    List<String> withBound = new ArrayList<>(List.of(labels));
    withBound.add(LE);
    return new Metric(name, MetricType.HISTOGRAM, help, withBound, true, BUCKET);
  }

  /** How many a histogram has counted in all: the same family without {@code le}. */
  public Metric count() {
    return withoutBound(COUNT);
  }

  /** The sum of what a histogram has counted: the same family without {@code le}. */
  public Metric sum() {
    return withoutBound(SUM);
  }

  private Metric withoutBound(String otherSuffix) {
    if (type != MetricType.HISTOGRAM) {
      throw new IllegalStateException(name + " is no histogram");
    }
    List<String> withoutBound = labels.stream().filter(label -> !label.equals(LE)).toList();
    return new Metric(name, type, help, withoutBound, listed, otherSuffix);
  }

  /** The name that stands on a sample's line. */
  public String sampleName() {
    return suffix.isEmpty() ? name : name + suffix;
  }

  /**
   * Whether the name is another exporter's, kept letter for letter so that its users' queries go on
   * working.
   */
  public boolean foreign() {
    return !name.startsWith(OWN_PREFIX);
  }
}
