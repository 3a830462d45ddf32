package io.lapwing.metric;

import java.util.ArrayList;
import java.util.List;

/**
 * One metric family. A histogram has its buckets as samples; {@link #count} and {@link #sum} are
 * its other samples.
 *
 * @param name the exposed name
 * @param type gauge, counter or histogram
 * @param help one sentence that ends with the source of the value: C function, field id or file
 * @param labels the default label names, in page order
 * @param listed whether it is exposed; health rules read it in any case
 * @param suffix appended to the name of its samples: {@code _bucket}, {@code _count}, {@code _sum}
 *     or nothing
 * @param detail which presets have its samples, of those that have the family
 */
public record Metric(
    String name,
    MetricType type,
    String help,
    List<String> labels,
    boolean listed,
    String suffix,
    Detail detail) {

  /** Samples that a small preset leaves out, although it has their family. */
  public enum Detail {
    /** In every preset that has the family. */
    NONE,
    /** Not in the preset minimal. */
    SOME,
    /** In the preset full only. */
    MOST
  }

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

  /** An exposed family. */
  public Metric(String name, MetricType type, String help, List<String> labels) {
    this(name, type, help, labels, true, "", Detail.NONE);
  }

  /** This family, not exposed. */
  public Metric unlisted() {
    return new Metric(name, type, help, labels, false, suffix, detail);
  }

  /** This family, exposed. */
  public Metric exposed() {
    return new Metric(name, type, help, labels, true, suffix, detail);
  }

  /** This family under another name. */
  public Metric named(String other, String itsHelp) {
    return new Metric(other, type, itsHelp, labels, listed, suffix, detail);
  }

  /** This family, for samples that a small preset leaves out. */
  public Metric asDetail(Detail which) {
    return new Metric(name, type, help, labels, listed, suffix, which);
  }

  public static Metric gauge(String name, String help, String... labels) {
    return new Metric(name, MetricType.GAUGE, help, List.of(labels));
  }

  public static Metric counter(String name, String help, String... labels) {
    return new Metric(name, MetricType.COUNTER, help, List.of(labels));
  }

  /** The buckets, each with the count of values up to its bound; labels without {@code le}. */
  public static Metric histogram(String name, String help, String... labels) {
    List<String> withBound = new ArrayList<>(List.of(labels));
    withBound.add(LE);
    return new Metric(name, MetricType.HISTOGRAM, help, withBound, true, BUCKET, Detail.NONE);
  }

  /** The total count of a histogram, without {@code le}. */
  public Metric count() {
    return withoutBound(COUNT);
  }

  /** The sum of the values of a histogram, without {@code le}. */
  public Metric sum() {
    return withoutBound(SUM);
  }

  private Metric withoutBound(String otherSuffix) {
    if (type != MetricType.HISTOGRAM) {
      throw new IllegalStateException(name + " is not a histogram");
    }
    List<String> withoutBound = labels.stream().filter(label -> !label.equals(LE)).toList();
    return new Metric(name, type, help, withoutBound, listed, otherSuffix, detail);
  }

  public String sampleName() {
    return suffix.isEmpty() ? name : name + suffix;
  }

  /**
   * By name, which hardly two metrics share. A record's own hash of seven components is a chain of
   * twenty classes that the JVM makes at its first call.
   */
  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Metric that
            && name.equals(that.name)
            && type == that.type
            && help.equals(that.help)
            && labels.equals(that.labels)
            && listed == that.listed
            && suffix.equals(that.suffix)
            && detail == that.detail);
  }

  /** Whether the name is another exporter's, kept so that existing queries work. */
  public boolean foreign() {
    return !name.startsWith(OWN_PREFIX);
  }
}
