package io.lapwing.gpu;

import io.lapwing.metric.Metric;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which families with DCGM's names are shown, and as what. Lapwing's own are not its business. */
public final class FieldSelection {

  /** Every family the driver can answer, as the catalogue describes it. */
  public static final FieldSelection ALL = new FieldSelection(Optional.empty());

  private final Optional<Map<String, Metric>> wanted;

  private FieldSelection(Optional<Map<String, Metric>> wanted) {
    this.wanted = wanted;
  }

  /** Only these, by name, each with the type and the help given here. */
  public static FieldSelection of(Map<String, Metric> wanted) {
    return new FieldSelection(Optional.of(Map.copyOf(wanted)));
  }

  /**
   * The family as it is to be shown; null where it is not. Asked for every sample, so without an
   * Optional.
   */
  @Nullable Metric shown(Metric metric) {
    return wanted.isEmpty() || !metric.foreign() ? metric : wanted.get().get(metric.name());
  }
}
