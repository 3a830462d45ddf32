package io.lapwing.agent.metrics;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricType;
import io.lapwing.metric.Series;

/** The text around the values, in both formats. */
final class PageText {

  private static final String TOTAL = "_total";

  private PageText() {}

  /** The HELP and TYPE lines of a family. */
  static String header(Metric metric, PageFormat format) {
    String name = familyName(metric, format);
    return "# HELP "
        + name
        + " "
        + help(metric.help(), format)
        + "\n# TYPE "
        + name
        + " "
        + type(metric, format)
        + "\n";
  }

  /** A sample's line up to its value. */
  static String line(Series series) {
    Labels labels = series.labels();
    StringBuilder line = new StringBuilder(series.metric().sampleName());
    for (int i = 0; i < labels.names().size(); i++) {
      line.append(i == 0 ? '{' : ',').append(labels.names().get(i)).append("=\"");
      escape(labels.values().get(i), true, line);
      line.append('"');
    }
    return line.append(labels.names().isEmpty() ? " " : "} ").toString();
  }

  /** OpenMetrics names a counter's family without the {@code _total} of its samples. */
  private static String familyName(Metric metric, PageFormat format) {
    String name = metric.name();
    boolean cut = format == PageFormat.OPENMETRICS_1_0_0 && hasTotalSuffix(metric);
    return cut ? name.substring(0, name.length() - TOTAL.length()) : name;
  }

  /** OpenMetrics requires {@code _total} on counter samples; DCGM's counters lack it. */
  private static String type(Metric metric, PageFormat format) {
    boolean forbidden =
        format == PageFormat.OPENMETRICS_1_0_0
            && metric.type() == MetricType.COUNTER
            && !hasTotalSuffix(metric);
    return forbidden ? "unknown" : metric.type().text();
  }

  private static boolean hasTotalSuffix(Metric metric) {
    return metric.type() == MetricType.COUNTER && metric.name().endsWith(TOTAL);
  }

  /** Only OpenMetrics escapes quotes in a help text. */
  private static String help(String help, PageFormat format) {
    StringBuilder escaped = new StringBuilder();
    escape(help, format == PageFormat.OPENMETRICS_1_0_0, escaped);
    return escaped.toString();
  }

  private static void escape(String text, boolean quotes, StringBuilder out) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        out.append("\\\\");
      } else if (c == '\n') {
        out.append("\\n");
      } else if (c == '"' && quotes) {
        out.append("\\\"");
      } else {
        out.append(c);
      }
    }
  }
}
