package io.lapwing.agent.web;

import io.lapwing.agent.metrics.Exposition;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.preset.Preset;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.zip.GZIPOutputStream;

/** A constant response with one family per collector. */
class FixedExposition implements Exposition {
  private final Set<String> collectors;

  FixedExposition(String... collectors) {
    this.collectors = new TreeSet<>(Set.of(collectors));
  }

  @Override
  public byte[] page(PageFormat format, Preset preset) {
    return page(format, preset, name -> true);
  }

  @Override
  public byte[] gzippedPage(PageFormat format, Preset preset) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(page(format, preset));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public byte[] page(PageFormat format, Preset preset, Predicate<String> wanted) {
    StringBuilder page = new StringBuilder();
    if (preset != Preset.STANDARD) {
      page.append("preset_").append(preset.text()).append(" 1\n");
    }
    collectors.stream().filter(wanted).forEach(name -> page.append(name).append("_up 1\n"));
    if (format == PageFormat.OPENMETRICS_1_0_0) {
      page.append("# EOF\n");
    }
    return page.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Preset preset() {
    return Preset.STANDARD;
  }

  @Override
  public Set<String> collectors() {
    return collectors;
  }
}
