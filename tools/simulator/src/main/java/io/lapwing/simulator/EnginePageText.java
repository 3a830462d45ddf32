package io.lapwing.simulator;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Writes the text format as Prometheus' Python or Rust client does. */
final class EnginePageText {

  private final String before;
  private final String behind;
  private final boolean python;
  private final StringBuilder page = new StringBuilder();

  /**
   * An empty page.
   *
   * @param before labels before {@code le}, each with its comma
   * @param behind labels after it
   * @param python whether labels are sorted and whole numbers written as {@code 1.0}
   */
  EnginePageText(String before, String behind, boolean python) {
    this.before = before;
    this.behind = behind;
    this.python = python;
  }

  void gauge(String name, double value) {
    head(name, "gauge");
    line(name, before + behind, number(value));
  }

  void counter(String name, double value) {
    head(name, "counter");
    line(name, before + behind, number(value));
  }

  /** With a label of its own, and a comma, before the others. */
  void counter(String name, String label, double value) {
    head(name, "counter");
    another(name, label, value);
  }

  /** One more series of the counter before. */
  void another(String name, String label, double value) {
    line(name, label + before + behind, number(value));
  }

  /** A histogram of values observed once each. */
  void histogram(String name, double[] bounds, double[] seen) {
    double[] once = new double[seen.length];
    Arrays.fill(once, 1);
    histogram(name, bounds, seen, once);
  }

  /**
   * A histogram of values.
   *
   * @param times how often each was observed
   */
  void histogram(String name, double[] bounds, double[] seen, double[] times) {
    head(name, "histogram");
    for (double bound : bounds) {
      bucket(name, number(bound), sum(seen.length, i -> seen[i] <= bound ? times[i] : 0));
    }
    double count = Arrays.stream(times).sum();
    bucket(name, "+Inf", count);
    line(name + "_count", before + behind, number(count));
    line(name + "_sum", before + behind, number(sum(seen.length, i -> seen[i] * times[i])));
  }

  private static double sum(int count, IntToDoubleFunction term) {
    return IntStream.range(0, count).mapToDouble(term).sum();
  }

  private void bucket(String name, String bound, double below) {
    String le = "le=\"" + bound + "\"";
    String labels = python ? before + le + "," + behind : before + behind + "," + le;
    line(name + "_bucket", labels, number(below));
  }

  private void head(String name, String type) {
    page.append("# HELP ").append(name).append(" Simulated\n");
    page.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void line(String name, String labels, String value) {
    String bare = labels.startsWith(",") ? labels.substring(1) : labels;
    page.append(name);
    if (!bare.isEmpty()) {
      page.append('{').append(bare).append('}');
    }
    page.append(' ').append(value).append('\n');
  }

  private String number(double value) {
    String plain = new BigDecimal(Double.toString(value)).toPlainString();
    return !python && plain.endsWith(".0") ? plain.substring(0, plain.length() - 2) : plain;
  }

  @Override
  public String toString() {
    return page.toString();
  }
}
