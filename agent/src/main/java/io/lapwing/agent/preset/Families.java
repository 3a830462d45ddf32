package io.lapwing.agent.preset;

import io.lapwing.gpu.NameView;
import io.lapwing.metric.Metric;
import io.lapwing.metric.SeriesSelection.Shown;
import java.util.List;

/**
 * The metric families of a scrape response.
 *
 * @param preset has the families
 * @param fieldFile whether {@code --gpu.fields} selects the families with DCGM's names, instead of
 *     the preset
 * @param names the names that families have
 */
public record Families(Preset preset, boolean fieldFile, NameView names) {

  private static final String DCGM = "DCGM_";

  /** With the names that families are collected under. */
  public Families(Preset preset, boolean fieldFile) {
    this(preset, fieldFile, NameView.DEFAULT);
  }

  /** The same with another preset. */
  public Families with(Preset other) {
    return new Families(other, fieldFile, names);
  }

  /** Whether every family is shown as it is collected. */
  public boolean isEverything() {
    return preset == Preset.FULL && names.isPlain();
  }

  /** The exposed form of a collected family. */
  public List<Shown> shown(Metric family) {
    boolean has = hasDetail(family.detail()) && has(names.classicName(family));
    return has ? names.of(family) : List.of();
  }

  private boolean hasDetail(Metric.Detail detail) {
    return switch (detail) {
      case NONE -> true;
      case SOME -> preset != Preset.MINIMAL;
      case MOST -> preset == Preset.FULL;
    };
  }

  /** By the name of a family or of its samples. */
  public boolean has(String name) {
    return preset == Preset.FULL || (fieldFile && name.startsWith(DCGM)) || preset.has(name);
  }
}
