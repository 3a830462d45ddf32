package io.lapwing.agent.metrics;

import io.lapwing.agent.preset.Preset;
import java.util.Set;
import java.util.function.Predicate;

/** The scrape response. Rendering it reads no device. */
public interface Exposition {

  /** The families of a preset. The array is shared and read-only. */
  byte[] page(PageFormat format, Preset preset);

  /** The families of a preset, gzip-compressed. The array is shared and read-only. */
  byte[] gzippedPage(PageFormat format, Preset preset);

  /** The families of a preset that matching collectors have. */
  byte[] page(PageFormat format, Preset preset, Predicate<String> collectors);

  /** Notes that a client asked for the response, to read devices before it asks again. */
  default void scraped(Object client) {}

  /** The configured preset. */
  Preset preset();

  /** The enabled collectors: the valid values of {@code collect[]} and {@code exclude[]}. */
  Set<String> collectors();
}
