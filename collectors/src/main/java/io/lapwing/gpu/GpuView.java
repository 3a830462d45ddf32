package io.lapwing.gpu;

import io.lapwing.metric.Metric;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The families and labels of the GPUs. Thread-safe. */
public final class GpuView {

  private final GpuLabelling labelling;
  private volatile FieldSelection selection;

  public GpuView(FieldSelection selection, GpuLabelling labelling) {
    this.selection = selection;
    this.labelling = labelling;
  }

  public FieldSelection selection() {
    return selection;
  }

  GpuLabelling labelling() {
    return labelling;
  }

  /** Selects other families from the next round on; labels stay, since they identify series. */
  public void show(FieldSelection others) {
    selection = others;
  }

  /** Selects families with DCGM's names, their type and help; Lapwing's own are always exposed. */
  public static final class FieldSelection {

    /** Every family that the driver supports, as in the catalogue. */
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

    /** As this one, but these families are read too, unlisted if not selected. */
    public FieldSelection reading(Collection<Metric> metrics) {
      return new FieldSelection(
          wanted,
          metrics.stream()
              .filter(Metric::foreign)
              .distinct()
              .collect(Collectors.toMap(Metric::name, Metric::unlisted)));
    }

    /** The family to read as; null if not selected. Called for every sample, hence no Optional. */
    public @Nullable Metric shown(Metric metric) {
      if (wanted.isEmpty() || !metric.foreign()) {
        return metric;
      }
      Metric shown = wanted.get().get(metric.name());
      return shown == null ? unlisted.get(metric.name()) : shown;
    }
  }
}
