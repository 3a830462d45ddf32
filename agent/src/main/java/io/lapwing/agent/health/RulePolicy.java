package io.lapwing.agent.health;

import io.lapwing.metric.Metric;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

public record RulePolicy(
    RuleSpec spec, boolean enabled, Disposition disposition, Map<String, Double> thresholds) {

  public RulePolicy {
    thresholds = Map.copyOf(thresholds);
  }

  public double threshold(String name) {
    Double value = thresholds.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no threshold " + name + " among " + thresholds.keySet());
    }
    return value;
  }

  /** A detection of this moment, with the texts of the rule's specification. */
  public Detection detection(Subject subject, String what, Metric source, Metric... others) {
    return detection(
        subject,
        what,
        Stream.concat(Stream.of(source), Stream.of(others))
            .map(Metric::name)
            .toArray(String[]::new));
  }

  public Detection detection(Subject subject, String what, String... sources) {
    return new Detection(
        spec.name(),
        subject,
        disposition,
        what,
        spec.why(),
        spec.document(),
        Optional.empty(),
        Optional.empty(),
        1,
        List.of(sources));
  }
}
