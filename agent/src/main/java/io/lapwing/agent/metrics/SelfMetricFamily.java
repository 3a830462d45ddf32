package io.lapwing.agent.metrics;

import java.util.List;

/** One family of {@link SelfRegistry}, under the name that its samples have on the page. */
public record SelfMetricFamily(String name, String type, String help, List<String> labels) {

  public SelfMetricFamily {
    labels = List.copyOf(labels);
  }
}
