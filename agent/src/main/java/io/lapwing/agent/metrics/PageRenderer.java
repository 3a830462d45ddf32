package io.lapwing.agent.metrics;

import io.lapwing.metric.Samples;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Writes samples as text. What a line says besides its value is worked out once and kept for as
 * long as the series stay the same, so that a page costs little more than its digits. Serves one
 * thread.
 */
final class PageRenderer {

  private final Map<PageFormat, PageLayout> layouts = new EnumMap<>(PageFormat.class);

  /** Appends all samples to a page. */
  void render(List<Samples> samples, PageFormat format, PageBuffer page) {
    PageLayout layout = layouts.get(format);
    if (layout == null || !layout.fits(samples)) {
      layout = PageLayout.of(samples, format);
      layouts.put(format, layout);
    }
    layout.write(samples, page);
  }
}
