package io.lapwing.gpu;

import io.lapwing.metric.Metric;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which families with DCGM's names are shown, and as what. Lapwing's own are not its business. */
public final class FieldSelection {

  /** Every family the driver can answer, as the catalogue describes it. */
  public static final FieldSelection ALL = new FieldSelection(Optional.empty(), Map.of());

  private final Optional<Map<String, Metric>> wanted;
  private final Map<String, Metric> unlisted;

  private FieldSelection(Optional<Map<String, Metric>> wanted, Map<String, Metric> unlisted) {
    this.wanted = wanted;
    this.unlisted = Map.copyOf(unlisted);
  }

  /** Only these, by name, each with the type and the help given here. */
  public static FieldSelection of(Map<String, Metric> wanted) {
    return new FieldSelection(Optional.of(Map.copyOf(wanted)), Map.of());
  }

  /** The same page; these are read as well, and kept off it where they are not wanted there. */
  public FieldSelection reading(Collection<Metric> metrics) {
    return new FieldSelection(
        wanted,
        metrics.stream()
            .filter(Metric::foreign)
            .distinct()
            .collect(Collectors.toMap(Metric::name, Metric::unlisted)));
  }

  /**
   * The family as it is to be read; null where it is not. Asked for every sample, so without an
   * Optional.
   */
  @Nullable Metric shown(Metric metric) {
    if (wanted.isEmpty() || !metric.foreign()) {
      return metric;
    }
    Metric shown = wanted.get().get(metric.name());
    return shown == null ? unlisted.get(metric.name()) : shown;
  }
}
