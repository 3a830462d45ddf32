package io.lapwing.agent.metrics;

import io.lapwing.metric.Samples;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Renders samples as text. Caches everything but the values while the series are unchanged. Not
 * thread-safe.
 */
final class PageRenderer {

  private final Map<PageFormat, PageLayout> layouts = new EnumMap<>(PageFormat.class);

  /** Appends all samples to the buffer. */
  void render(List<Samples> samples, PageFormat format, PageBuffer page) {
    PageLayout layout = layouts.get(format);
    if (layout == null || !layout.fits(samples)) {
      layout = PageLayout.of(samples, format);
      layouts.put(format, layout);
    }
    layout.write(samples, page);
  }
}
