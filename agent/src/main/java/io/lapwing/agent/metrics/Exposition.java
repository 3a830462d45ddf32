package io.lapwing.agent.metrics;

import java.util.Set;
import java.util.function.Predicate;

/** The page, ready to be sent: asking for it reads no device. */
public interface Exposition {

  /** The whole page. The array is shared: nobody may write to it. */
  byte[] page(PageFormat format);

  /** The whole page, compressed with gzip. The array is shared: nobody may write to it. */
  byte[] gzippedPage(PageFormat format);

  /** The families of some collectors only. */
  byte[] page(PageFormat format, Predicate<String> collectors);

  /**
   * The names that {@code collect[]} and {@code exclude[]} know: the collectors that are switched
   * on.
   */
  Set<String> collectors();
}
