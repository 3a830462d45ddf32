package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.preset.Families;
import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.FakeSource;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.collect.Cadence;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Samples;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Concurrent scrapers and sources: every response is consistent. */
class PageConcurrencyTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int SCRAPERS = 16;
  private static final int SCRAPES = 150;
  private static final int SOURCES = 4;
  private static final int SERIES = 20;

  private static final Cadences CADENCES =
      new Cadences(
          Duration.ofMillis(1),
          Duration.ofMillis(1),
          Duration.ofSeconds(60),
          Duration.ofMinutes(1));

  /** Each round writes its number to all its series and sometimes changes the series. */
  private static FakeSource counting(String name, AtomicLong rounds) {
    List<Labels> labels = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      labels.add(Labels.of("source", name, "n", String.valueOf(i)));
    }
    return new FakeSource(name)
        .with(
            "count",
            Cadence.FAST,
            sink -> {
              long round = rounds.incrementAndGet();
              int series = round % 7 == 0 ? SERIES / 2 : SERIES;
              labels
                  .subList(0, series)
                  .forEach(label -> sink.add(FakeSource.RATIO, label, (double) round));
            });
  }

  @Test
  void everyResponseHasOneRoundPerSource() throws Exception {
    SnapshotBoard board = new SnapshotBoard();
    AtomicLong rounds = new AtomicLong();
    try (Poller poller = new Poller(board, CADENCES, PollClock.SYSTEM)) {
      for (int i = 0; i < SOURCES; i++) {
        poller.add(counting("gpu" + i, new AtomicLong()));
      }
      poller.add(counting("watched", rounds));
      poller.start();
      await().atMost(PATIENCE).until(poller::settled);
      PageCache cache = cache(poller, board);
      long before = rounds.get();

      ExecutorService scrapers = Executors.newFixedThreadPool(SCRAPERS);
      List<Future<Set<Double>>> results = new ArrayList<>();
      for (int i = 0; i < SCRAPERS; i++) {
        int scraper = i;
        results.add(scrapers.submit(() -> scrape(cache, scraper)));
      }
      for (Future<Set<Double>> result : results) {
        // It scraped while things moved.
        assertThat(result.get()).hasSizeGreaterThan(1);
      }
      scrapers.shutdown();
      assertThat(rounds.get()).isGreaterThan(before);
    }
  }

  private static PageCache cache(Poller poller, SnapshotBoard board) {
    return new PageCache(
        new PageSamples(
            poller,
            CADENCES,
            new SelfReport(
                CADENCES, new Build("0", "", "17"), new SelfReport.ReloadReport(Instant.EPOCH)),
            () -> Samples.EMPTY,
            UnaryOperator.identity(),
            new PageBudget(PageBudget.Limits.DEFAULT)),
        board::version,
        SelfRegistry.ofThisProcess(),
        () -> Set.of("count"),
        () -> new Families(Preset.FULL, false),
        client -> {},
        PollClock.SYSTEM);
  }

  @Test
  void aScrapeDoesNotWaitForTheRenderingOfSelectedCollectors() throws Exception {
    SnapshotBoard board = new SnapshotBoard();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    ExecutorService scrapers = Executors.newFixedThreadPool(2);
    try (Poller poller = new Poller(board, CADENCES, PollClock.SYSTEM)) {
      poller.add(counting("gpu0", new AtomicLong()));
      poller.start();
      await().atMost(PATIENCE).until(poller::settled);
      PageCache cache = cache(poller, board);
      Predicate<String> stuck =
          collector -> {
            begun.countDown();
            return isOpen(open);
          };
      Future<byte[]> selected =
          scrapers.submit(() -> cache.page(PageFormat.TEXT_0_0_4, Preset.FULL, stuck));
      assertThat(begun.await(3, TimeUnit.MINUTES)).isTrue();

      Future<byte[]> usual = scrapers.submit(() -> cache.page(PageFormat.TEXT_0_0_4));
      assertThat(usual.get(3, TimeUnit.MINUTES)).isNotEmpty();

      assertThat(selected.isDone()).isFalse();
      open.countDown();
      assertThat(selected.get(3, TimeUnit.MINUTES)).isNotEmpty();
    } finally {
      open.countDown();
      scrapers.shutdown();
    }
  }

  private static boolean isOpen(CountDownLatch latch) {
    try {
      return latch.await(3, TimeUnit.MINUTES);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Set<Double> scrape(PageCache cache, int scraper) {
    Set<Double> seen = new HashSet<>();
    for (int i = 0; i < SCRAPES; i++) {
      PageFormat format =
          (scraper + i) % 2 == 0 ? PageFormat.TEXT_0_0_4 : PageFormat.OPENMETRICS_1_0_0;
      byte[] bytes =
          scraper % 4 == 3 ? unpacked(cache.gzippedPage(format)) : page(cache, format, scraper);
      boolean filtered = scraper % 4 == 2;
      TextPage page = TextPage.parse(bytes, format);
      seen.addAll(consistent(page));
      assertThat(page.family("process_resident_memory_bytes").isPresent()).isNotEqualTo(filtered);
    }
    return seen;
  }

  private static byte[] page(PageCache cache, PageFormat format, int scraper) {
    return scraper % 4 == 2 ? cache.page(format, Preset.FULL, "count"::equals) : cache.page(format);
  }

  private static byte[] unpacked(byte[] gzipped) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzipped))) {
      return in.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static Set<Double> consistent(TextPage page) {
    Set<Double> all = new HashSet<>();
    page.samples(FakeSource.RATIO.name()).stream()
        .collect(Collectors.groupingBy(sample -> String.valueOf(sample.labels().get("source"))))
        .forEach(
            (source, samples) -> {
              Set<Double> values =
                  samples.stream().map(TextPage.Sample::value).collect(Collectors.toSet());
              assertThat(values).as(source).hasSize(1);
              double round = values.iterator().next();
              assertThat(samples).hasSize(round % 7 == 0 ? SERIES / 2 : SERIES);
              all.addAll(values);
            });
    return all;
  }
}
