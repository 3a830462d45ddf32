package io.lapwing.agent.web;

import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.preset.Preset;

/** A response larger than any socket buffer. */
class LargeExposition extends FixedExposition {
  private final byte[] page;

  LargeExposition(int bytes) {
    super("ecc");
    page = new byte[bytes];
  }

  @Override
  public byte[] page(PageFormat format, Preset preset) {
    return page;
  }
}
