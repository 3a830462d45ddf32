package io.lapwing.agent.metrics;

import java.util.Set;
import java.util.function.Predicate;

/** The scrape response. Rendering it reads no device. */
public interface Exposition {

  /** The whole response. The array is shared and read-only. */
  byte[] page(PageFormat format);

  /** The whole response, gzip-compressed. The array is shared and read-only. */
  byte[] gzippedPage(PageFormat format);

  /** The families of the matching collectors only. */
  byte[] page(PageFormat format, Predicate<String> collectors);

  /** The enabled collectors: the valid values of {@code collect[]} and {@code exclude[]}. */
  Set<String> collectors();
}
