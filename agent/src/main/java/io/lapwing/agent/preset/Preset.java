package io.lapwing.agent.preset;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A set of metric families; each has all families of the one before. */
public enum Preset {
  /** What the shipped rules read. */
  MINIMAL,
  /** Also what the shipped dashboards read, and what other exporters have by default. */
  STANDARD,
  /** Everything. */
  FULL;

  public static Optional<Preset> named(String name) {
    return Arrays.stream(values()).filter(preset -> preset.text().equals(name)).findFirst();
  }

  /** The valid names. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Preset::text).toList();
  }

  /** The name in flags, URLs and labels. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether it has the samples of this name: of a family, or the {@code _bucket}, {@code _count} or
   * {@code _sum} of a histogram or summary.
   */
  public boolean has(String sampleName) {
    return PresetTable.SHIPPED.smallest(sampleName).compareTo(this) <= 0;
  }

  /** The smallest preset that has this family. */
  public static Preset of(String family) {
    return PresetTable.SHIPPED.smallest(family);
  }

  @Override
  public String toString() {
    return text();
  }
}
