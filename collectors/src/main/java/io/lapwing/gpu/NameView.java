package io.lapwing.gpu;

import io.lapwing.gpu.DcgmNames.Rename;
import io.lapwing.metric.Metric;
import io.lapwing.metric.SeriesSelection.Shown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The names of families on the page.
 *
 * @param generations one or two; empty for the classic names
 */
public record NameView(List<NameGeneration> generations) {

  /** The families as they are collected. */
  public static final NameView DEFAULT = new NameView(List.of());

  public NameView {
    generations = List.copyOf(generations);
  }

  /** Whether every family is shown as it is collected. */
  public boolean isPlain() {
    return !generations.contains(NameGeneration.V4_9);
  }

  /** The name that presets know a family by. */
  public String classicName(Metric family) {
    return DcgmNames.SHIPPED.ofNew(family.name()).map(Rename::classic).orElse(family.name());
  }

  /** What is shown of a collected family: itself, its new name, or both. */
  public List<Shown> of(Metric family) {
    if (isPlain()) {
      return List.of(Shown.as(family));
    }
    if (DcgmNames.SHIPPED.ofNew(family.name()).isPresent()) {
      return List.of(Shown.as(family.exposed()));
    }
    Optional<Rename> rename = DcgmNames.SHIPPED.ofClassic(family.name());
    List<Shown> shown = new ArrayList<>();
    if (rename.isEmpty() || generations.stream().anyMatch(NameGeneration::classicNames)) {
      shown.add(Shown.as(family));
    }
    rename
        .filter(one -> !one.isRead())
        .ifPresent(one -> shown.add(new Shown(one.metric(family), one::value)));
    return List.copyOf(shown);
  }
}
