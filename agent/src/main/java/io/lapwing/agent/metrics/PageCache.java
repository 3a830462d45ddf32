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
 * The page as ready bytes. It is written when somebody asks and something changed since: a new
 * snapshot or judgement, or a second has passed, since the agent's own figures change all the time.
 * Thread-safe; who asks while a page is written waits for it.
 */
public final class PageCache implements Exposition {

  private static final long OWN_FIGURES_HOLD = Duration.ofSeconds(1).toNanos();
  private static final int GZIP_BUFFER = 1 << 15;

  private final PageSamples samples;
  private final LongSupplier changes;
  private final SelfRegistry own;
  private final Supplier<Set<String>> collectors;
  private final PollClock clock;
  private final PageBuffer buffer = new PageBuffer();
  private final PageRenderer renderer = new PageRenderer();
  private final Map<PageFormat, Ready> ready = new EnumMap<>(PageFormat.class);

  /** A written page, and what it was written from. */
  private static final class Ready {
    final byte[] page;
    final long version;
    final long writtenAt;
    byte @Nullable [] gzipped;

    Ready(byte[] page, long version, long writtenAt) {
      this.page = page;
      this.version = version;
      this.writtenAt = writtenAt;
    }
  }

  /**
   * A page of these samples.
   *
   * @param changes another number than before where something is to be told anew
   * @param own the agent's metrics of itself, the end of every page
   * @param collectors those that are switched on
   */
  public PageCache(
      PageSamples samples,
      LongSupplier changes,
      SelfRegistry own,
      Supplier<Set<String>> collectors,
      PollClock clock) {
    this.samples = samples;
    this.changes = changes;
    this.own = own;
    this.collectors = collectors;
    this.clock = clock;
  }

  @Override
  public synchronized byte[] page(PageFormat format) {
    return current(format).page;
  }

  @Override
  public synchronized byte[] gzippedPage(PageFormat format) {
    Ready current = current(format);
    byte[] gzipped = current.gzipped;
    if (gzipped == null) {
      gzipped = gzip(current.page);
      current.gzipped = gzipped;
    }
    return gzipped;
  }

  /**
   * Rendered anew each time, by a renderer of its own: it is asked for by people, not by scrapers.
   */
  @Override
  public synchronized byte[] page(PageFormat format, Predicate<String> wanted) {
    return write(samples.of(wanted), new PageRenderer(), format, SelfRegistry.empty());
  }

  @Override
  public Set<String> collectors() {
    return collectors.get();
  }

  private Ready current(PageFormat format) {
    Ready known = ready.get(format);
    long version = changes.getAsLong();
    long now = clock.nanoTime();
    if (known != null && known.version == version && now - known.writtenAt < OWN_FIGURES_HOLD) {
      return known;
    }
    Ready written = new Ready(write(samples.all(), renderer, format, own), version, now);
    ready.put(format, written);
    return written;
  }

  private byte[] write(
      List<Samples> from, PageRenderer with, PageFormat format, SelfRegistry registry) {
    buffer.clear();
    with.render(from, format, buffer);
    try {
      registry.write(format, buffer);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    return buffer.toBytes();
  }

  /** At level 1: a fifth of the work of the default level for a page a little larger. */
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
