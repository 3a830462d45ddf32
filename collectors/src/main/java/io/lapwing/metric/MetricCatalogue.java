package io.lapwing.metric;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All families, from the constants of the declaring classes, in order of declaration. */
public record MetricCatalogue(List<Metric> metrics) {

  public MetricCatalogue {
    metrics = List.copyOf(metrics);
    Set<String> names = new HashSet<>();
    for (Metric metric : metrics) {
      if (!names.add(metric.name())) {
        throw new IllegalArgumentException(metric.name() + " is declared twice");
      }
    }
  }

  /** The {@code public static final Metric} constants of some classes, but for unlisted ones. */
  public static MetricCatalogue of(Class<?>... holders) {
    List<Metric> metrics = new ArrayList<>();
    for (Class<?> holder : holders) {
      for (Field field : holder.getFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == Metric.class) {
          metrics.add(constant(field));
        }
      }
    }
    return new MetricCatalogue(metrics.stream().filter(Metric::listed).toList());
  }

  private static Metric constant(Field field) {
    try {
      return (Metric) field.get(null);
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException("getFields() returns public fields only", impossible);
    }
  }
}
