package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.Values;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** The values of one GPU or another part among the samples of its collectors. */
record DeviceValues(SeriesIndex index, List<Samples> samples, Set<String> wanted)
    implements Values {

  /**
   * The values.
   *
   * @param wanted names of the indexed families
   */
  DeviceValues {
    samples = List.copyOf(samples);
    wanted = Set.copyOf(wanted);
  }

  @Override
  public Map<List<String>, Double> all(Metric metric) {
    if (family(metric).places().isEmpty()) {
      return Map.of();
    }
    Map<List<String>, Double> values = new HashMap<>();
    each(metric, values::put);
    return values;
  }

  @Override
  public void each(Metric metric, Each each) {
    SeriesIndex.Family family = family(metric);
    if (!family.places().isEmpty()) {
      Samples from = samples.get(family.samples());
      family.places().forEach((labels, at) -> each.value(labels, from.value(at)));
    }
  }

  @Override
  public OptionalDouble get(Metric metric, String... labels) {
    SeriesIndex.Family family = family(metric);
    Integer at = family.places().get(List.of(labels));
    return at == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(samples.get(family.samples()).value(at));
  }

  private SeriesIndex.Family family(Metric metric) {
    if (!wanted.contains(metric.name())) {
      // It would always be absent, which most rules take for healthy.
      throw new IllegalStateException("no rule declares that it reads " + metric.name());
    }
    return index.family(metric);
  }
}
