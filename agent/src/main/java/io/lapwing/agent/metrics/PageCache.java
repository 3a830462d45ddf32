package io.lapwing.agent.metrics;

import io.lapwing.agent.sources.PollClock;
import io.lapwing.metric.Samples;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Caches the rendered response; renders on request after a change, or after a second, since self
 * metrics always change. Thread-safe; concurrent requests share one rendering.
 */
public final class PageCache implements Exposition {

  private static final long MAX_AGE = Duration.ofSeconds(1).toNanos();

  /** An unused response is dropped after this time. */
  private static final long KEPT = Duration.ofMinutes(1).toNanos();

  private static final int GZIP_BUFFER = 1 << 15;

  private final PageSamples samples;
  private final LongSupplier changes;
  private final SelfRegistry self;
  private final Supplier<Set<String>> collectors;
  private final PollClock clock;
  private final PageBuffer buffer = new PageBuffer();
  private final PageLayout.PageRenderer renderer = new PageLayout.PageRenderer();
  private final Map<Form, Rendered> rendered = new HashMap<>();

  /** Each is rendered for those who ask for it: most agents have one scraper. */
  private record Form(PageFormat format, boolean gzipped) {}

  /** A rendered response and the version it was rendered from. */
  private static final class Rendered {
    final byte[] page;
    final long version;
    final long renderedAt;

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
    return current(new Form(format, false));
  }

  @Override
  public synchronized byte[] gzippedPage(PageFormat format) {
    return current(new Form(format, true));
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

  private byte[] current(Form form) {
    Rendered cached = rendered.get(form);
    long version = changes.getAsLong();
    long now = clock.nanoTime();
    if (cached != null && cached.version == version && now - cached.renderedAt < MAX_AGE) {
      return cached.page;
    }
    rendered.values().removeIf(old -> now - old.renderedAt > KEPT);
    rendered.remove(form);
    byte[] page = write(samples.all(), renderer, form.format(), self);
    byte[] sent = form.gzipped() ? gzip(page) : page;
    rendered.put(form, new Rendered(sent, version, now));
    return sent;
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
  private byte[] gzip(byte[] page) {
    buffer.clear();
    try (FastGzip gzip = new FastGzip(buffer)) {
      gzip.write(page);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    return buffer.toBytes();
  }

  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, GZIP_BUFFER);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
