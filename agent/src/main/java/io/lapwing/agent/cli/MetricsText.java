package io.lapwing.agent.cli;

import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;

/** The catalogue as {@code lapwing metrics} prints it: a line for each family. */
public final class MetricsText {

  private MetricsText() {}

  public static String of(MetricCatalogue catalogue) {
    StringBuilder text = new StringBuilder();
    for (Metric metric : catalogue.metrics()) {
      text.append(metric.name())
          .append(metric.labels().isEmpty() ? "" : "{" + String.join(",", metric.labels()) + "}")
          .append(' ')
          .append(metric.type().text())
          .append(": ")
          .append(metric.help())
          .append('\n');
    }
    return text.toString();
  }
}
