package io.lapwing.agent.metrics;

import io.lapwing.agent.preset.Families;
import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.metric.Samples;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Caches the rendered response; renders on request after a change, or after a second, since self
 * metrics always change. A preset that is not the configured one is rendered on request only, and
 * nothing but its last response is kept. Thread-safe; concurrent requests share one rendering.
 */
public final class PageCache implements Exposition {

  private static final long MAX_AGE = Duration.ofSeconds(1).toNanos();

  /** An unused response is dropped after this time. */
  private static final long KEPT = Duration.ofMinutes(1).toNanos();

  /** A scraper that asks for everything asks again within this time. */
  private static final long ASKED = Duration.ofMinutes(10).toNanos();

  private static final int GZIP_BUFFER = 1 << 12;

  private static final int MIN_PACKED = 1 << 10;

  private final PageSamples samples;
  private final LongSupplier changes;
  private final SelfRegistry self;
  private final Supplier<Set<String>> collectors;
  private final Supplier<Families> families;
  private final Consumer<Object> scrapes;
  private final PollClock clock;
  private final PageBuffer buffer = new PageBuffer();

  /** Of the compressed responses. */
  private final PageBuffer packed = new PageBuffer(MIN_PACKED);

  private final Map<Form, Rendered> rendered = new HashMap<>();
  private View view;

  /**
   * Guards what is rendered for one request: other presets and selected collectors. A scrape of the
   * configured preset does not wait for it.
   */
  private final Object special = new Object();

  /** The last response with another preset. */
  private final Map<Form, Rendered> other = new ConcurrentHashMap<>();

  private volatile OptionalLong everythingAt = OptionalLong.empty();

  /** Each is rendered on request: most agents have one scraper. */
  private record Form(Preset preset, PageFormat format, boolean gzipped) {}

  /** The state between two renderings. */
  private record View(PresetFilter filter, PageLayout.PageRenderer renderer) {

    static View of(Families families) {
      return new View(new PresetFilter(families), new PageLayout.PageRenderer());
    }
  }

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

  /**
   * {@code changes}: a version of the samples; {@code self} ends every response; {@code families}:
   * those of a request that names no preset; {@code scrapes} receives the client of each request.
   */
  public PageCache(
      PageSamples samples,
      LongSupplier changes,
      SelfRegistry self,
      Supplier<Set<String>> collectors,
      Supplier<Families> families,
      Consumer<Object> scrapes,
      PollClock clock) {
    this.samples = samples;
    this.changes = changes;
    this.self = self;
    this.collectors = collectors;
    this.families = families;
    this.scrapes = scrapes;
    this.clock = clock;
    this.view = View.of(families.get());
  }

  /** The usual response: the configured preset. */
  public byte[] page(PageFormat format) {
    return page(format, preset());
  }

  /** The usual response, gzip-compressed. */
  public byte[] gzippedPage(PageFormat format) {
    return gzippedPage(format, preset());
  }

  @Override
  public byte[] page(PageFormat format, Preset preset) {
    return current(new Form(preset, format, false));
  }

  @Override
  public byte[] gzippedPage(PageFormat format, Preset preset) {
    return current(new Form(preset, format, true));
  }

  /** Not cached: filtered responses are rare. */
  @Override
  public byte[] page(PageFormat format, Preset preset, Predicate<String> wanted) {
    note(preset);
    synchronized (special) {
      View once = View.of(families.get().with(preset));
      PageBuffer into = new PageBuffer();
      once.renderer().render(samples.of(once.filter(), wanted), format, into);
      end(SelfRegistry.empty(), format, once, into);
      return into.toBytes();
    }
  }

  @Override
  public void scraped(Object client) {
    scrapes.accept(client);
  }

  @Override
  public Preset preset() {
    return families.get().preset();
  }

  @Override
  public Set<String> collectors() {
    return collectors.get();
  }

  /** Whether the preset {@code full} is configured, or was asked for lately. Never blocks. */
  public boolean isEverythingAsked() {
    OptionalLong at = everythingAt;
    return preset() == Preset.FULL || (at.isPresent() && clock.nanoTime() - at.getAsLong() < ASKED);
  }

  private void note(Preset preset) {
    if (preset == Preset.FULL) {
      everythingAt = OptionalLong.of(clock.nanoTime());
    }
  }

  private byte[] current(Form form) {
    note(form.preset());
    Families configured = families.get();
    return form.preset() == configured.preset()
        ? usual(form, configured)
        : special(form, configured.with(form.preset()));
  }

  private synchronized byte[] usual(Form form, Families configured) {
    Predicate<Rendered> unused = old -> clock.nanoTime() - old.renderedAt > KEPT;
    rendered.values().removeIf(unused);
    other.values().removeIf(unused);
    return cached(
        rendered,
        form,
        () -> {
          if (!view.filter().families().equals(configured)) {
            view = View.of(configured);
          }
          return write(samples.all(view.filter()), view, form, buffer, packed);
        });
  }

  private byte[] special(Form form, Families families) {
    synchronized (special) {
      // At most one, so that a client that requests all of them takes the memory of one.
      other.keySet().retainAll(Set.of(form));
      return cached(
          other,
          form,
          () -> {
            View once = View.of(families);
            return write(
                samples.others(once.filter()),
                once,
                form,
                new PageBuffer(),
                new PageBuffer(MIN_PACKED));
          });
    }
  }

  private byte[] cached(Map<Form, Rendered> known, Form form, Supplier<byte[]> render) {
    Rendered cached = known.get(form);
    long version = changes.getAsLong();
    long now = clock.nanoTime();
    if (cached != null && cached.version == version && now - cached.renderedAt < MAX_AGE) {
      return cached.page;
    }
    known.remove(form);
    byte[] page = render.get();
    known.put(form, new Rendered(page, version, now));
    return page;
  }

  private byte[] write(
      List<Samples> from, View with, Form form, PageBuffer into, PageBuffer compressed) {
    into.clear();
    with.renderer().render(from, form.format(), into);
    end(self, form.format(), with, into);
    return form.gzipped() ? gzip(into, compressed) : into.toBytes();
  }

  private static void end(SelfRegistry registry, PageFormat format, View with, PageBuffer into) {
    try {
      registry.write(format, with.filter().families()::has, into);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
  }

  /** Compresses at level 1: a fifth of the CPU time for a slightly larger response. */
  private static byte[] gzip(PageBuffer page, PageBuffer packed) {
    packed.clear();
    try (FastGzip gzip = new FastGzip(packed)) {
      page.writeTo(gzip);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a buffer in memory cannot fail", impossible);
    }
    return packed.toBytes();
  }

  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, GZIP_BUFFER);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
