package io.lapwing.agent.judge;

import io.lapwing.agent.health.Values;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The values of one GPU or another part among the samples of its collectors. */
record DeviceValues(List<Part> parts, Set<String> wanted) implements Values {

  /**
   * The values.
   *
   * @param wanted names of the families that were looked for
   */
  DeviceValues {
    parts = List.copyOf(parts);
    wanted = Set.copyOf(wanted);
  }

  /** The samples of one collector, and where what stands. */
  record Part(SeriesIndex index, Samples samples) {}

  @Override
  public Map<List<String>, Double> all(Metric metric) {
    if (!wanted.contains(metric.name())) {
      // It would seem never to be there, which most rules take for healthy.
      throw new IllegalStateException("no rule says that it reads " + metric.name());
    }
    for (Part part : parts) {
      Map<List<String>, Integer> places = part.index().places(metric);
      if (!places.isEmpty()) {
        Map<List<String>, Double> values = new HashMap<>();
        places.forEach((labels, at) -> values.put(labels, part.samples().value(at)));
        return values;
      }
    }
    return Map.of();
  }
}
