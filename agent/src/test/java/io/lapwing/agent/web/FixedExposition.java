package io.lapwing.agent.web;

import io.lapwing.agent.metrics.Exposition;
import io.lapwing.agent.metrics.PageFormat;
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
  public byte[] page(PageFormat format) {
    return page(format, name -> true);
  }

  @Override
  public byte[] gzippedPage(PageFormat format) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(page(format));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public byte[] page(PageFormat format, Predicate<String> wanted) {
    StringBuilder page = new StringBuilder();
    collectors.stream().filter(wanted).forEach(name -> page.append(name).append("_up 1\n"));
    if (format == PageFormat.OPENMETRICS_1_0_0) {
      page.append("# EOF\n");
    }
    return page.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Set<String> collectors() {
    return collectors;
  }
}
