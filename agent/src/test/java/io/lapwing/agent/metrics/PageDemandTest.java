package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.preset.Families;
import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.metric.Samples;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Whether all families are in demand: what only the preset {@code full} shows is read for it. */
class PageDemandTest {

  private static final Cadences CADENCES =
      new Cadences(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofMinutes(1));

  private final VirtualClock clock = new VirtualClock();
  private volatile Preset configured = Preset.STANDARD;

  private PageCache cache(Poller poller, SnapshotBoard board) {
    return new PageCache(
        new PageSamples(
            poller,
            CADENCES,
            new SelfReport(
                CADENCES,
                new Build("0", "", "17"),
                new SelfReport.ReloadReport(VirtualClock.START)),
            () -> Samples.EMPTY,
            UnaryOperator.identity(),
            new PageBudget(PageBudget.Limits.DEFAULT)),
        board::version,
        SelfRegistry.empty(),
        Set::of,
        () -> new Families(configured, false),
        client -> {},
        clock);
  }

  @Test
  void aRequestForEverythingCountsForTenMinutes() {
    SnapshotBoard board = new SnapshotBoard();
    try (Poller poller = new Poller(board, CADENCES, clock)) {
      PageCache cache = cache(poller, board);
      cache.page(PageFormat.TEXT_0_0_4);
      assertThat(cache.isEverythingAsked()).isFalse();

      cache.gzippedPage(PageFormat.TEXT_0_0_4, Preset.FULL);
      clock.advance(Duration.ofMinutes(9));
      assertThat(cache.isEverythingAsked()).isTrue();
      clock.advance(Duration.ofMinutes(2));
      assertThat(cache.isEverythingAsked()).isFalse();

      cache.page(PageFormat.TEXT_0_0_4, Preset.FULL, collector -> true);
      assertThat(cache.isEverythingAsked()).isTrue();
    }
  }

  @Test
  void thePresetFullAsksForEverything() {
    SnapshotBoard board = new SnapshotBoard();
    try (Poller poller = new Poller(board, CADENCES, clock)) {
      PageCache cache = cache(poller, board);
      configured = Preset.FULL;

      assertThat(cache.isEverythingAsked()).isTrue();
    }
  }
}
