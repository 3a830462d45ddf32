package io.lapwing.agent.preset;

import io.lapwing.metric.Metric;

/**
 * The metric families of a scrape response.
 *
 * @param preset has the families
 * @param fieldFile whether {@code --gpu.fields} selects the families with DCGM's names, instead of
 *     the preset
 */
public record Families(Preset preset, boolean fieldFile) {

  private static final String DCGM = "DCGM_";

  /** The same with another preset. */
  public Families with(Preset other) {
    return new Families(other, fieldFile);
  }

  /** Whether it has the samples of this family. */
  public boolean has(Metric family) {
    return preset == Preset.FULL || (!family.detail() && has(family.name()));
  }

  /** By the name of a family or of its samples. */
  public boolean has(String name) {
    return preset == Preset.FULL || (fieldFile && name.startsWith(DCGM)) || preset.has(name);
  }
}
