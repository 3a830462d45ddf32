package io.lapwing.agent.metrics;

import io.lapwing.agent.sources.PollClock;
import io.lapwing.metric.Samples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Caches the rendered response; renders on request after a change, or after a second, since self
 * metrics always change. Thread-safe; concurrent requests share one rendering.
 */
public final class PageCache implements Exposition {

  private static final long MAX_AGE = Duration.ofSeconds(1).toNanos();
  private static final int GZIP_BUFFER = 1 << 15;

  private final PageSamples samples;
  private final LongSupplier changes;
  private final SelfRegistry self;
  private final Supplier<Set<String>> collectors;
  private final PollClock clock;
  private final PageBuffer buffer = new PageBuffer();
  private final PageLayout.PageRenderer renderer = new PageLayout.PageRenderer();
  private final Map<PageFormat, Rendered> rendered = new EnumMap<>(PageFormat.class);

  /** A rendered response and the version it was rendered from. */
  private static final class Rendered {
    final byte[] page;
    final long version;
    final long renderedAt;
    byte @Nullable [] gzipped;

    Rendered(byte[] page, long version, long renderedAt) {
      this.page = page;
      this.version = version;
      this.renderedAt = renderedAt;
    }
  }

  /** {@code changes}: a version of the samples; {@code self} ends every response. */
  public PageCache(
      PageSamples samples,
      LongSupplier changes,
      SelfRegistry self,
      Supplier<Set<String>> collectors,
      PollClock clock) {
    this.samples = samples;
    this.changes = changes;
    this.self = self;
    this.collectors = collectors;
    this.clock = clock;
  }

  @Override
  public synchronized byte[] page(PageFormat format) {
    return current(format).page;
  }

  @Override
  public synchronized byte[] gzippedPage(PageFormat format) {
    Rendered current = current(format);
    byte[] gzipped = current.gzipped;
    if (gzipped == null) {
      gzipped = gzip(current.page);
      current.gzipped = gzipped;
    }
    return gzipped;
  }

  /** Not cached: filtered responses are rare. */
  @Override
  public synchronized byte[] page(PageFormat format, Predicate<String> wanted) {
    return write(samples.of(wanted), new PageLayout.PageRenderer(), format, SelfRegistry.empty());
  }

  @Override
  public Set<String> collectors() {
    return collectors.get();
  }

  private Rendered current(PageFormat format) {
    Rendered cached = rendered.get(format);
    long version = changes.getAsLong();
    long now = clock.nanoTime();
    if (cached != null && cached.version == version && now - cached.renderedAt < MAX_AGE) {
      return cached;
    }
    Rendered fresh = new Rendered(write(samples.all(), renderer, format, self), version, now);
    rendered.put(format, fresh);
    return fresh;
  }

  private byte[] write(
      List<Samples> from, PageLayout.PageRenderer with, PageFormat format, SelfRegistry registry) {
    buffer.clear();
    with.render(from, format, buffer);
    try {
      registry.write(format, buffer);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    return buffer.toBytes();
  }

  /** Compresses at level 1: a fifth of the CPU time for a slightly larger response. */
  private static byte[] gzip(byte[] page) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(page.length / 8);
    try (FastGzip gzip = new FastGzip(bytes)) {
      gzip.write(page);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    return bytes.toByteArray();
  }

  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(ByteArrayOutputStream out) throws IOException {
      super(out, GZIP_BUFFER);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
