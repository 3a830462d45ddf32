package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.FakeSource;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.PageShare;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Samples;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a page leaves out that would be too large. */
class PageBudgetTest {

  private static final Cadences CADENCES =
      new Cadences(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofMinutes(5));

  private final SnapshotBoard board = new SnapshotBoard();
  private final Poller poller = new Poller(board, CADENCES, PollClock.SYSTEM);

  @AfterEach
  void close() {
    poller.close();
  }

  /** {@code series} lines with a label of {@code length} chars. */
  private void add(String name, PageShare share, int series, int length) {
    List<Labels> labels = new ArrayList<>();
    for (int i = 0; i < series; i++) {
      labels.add(Labels.of("source", name, "n", i + "x".repeat(length)));
    }
    poller.add(
        new FakeSource(name)
            .sharing(share)
            .with(
                "count",
                Cadence.SLOW,
                sink -> labels.forEach(each -> sink.add(FakeSource.RATIO, each, 1))));
  }

  private PageSamples samples(PageBudget budget) {
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> poller.activities().stream().allMatch(activity -> activity.rounds() > 0));
    return new PageSamples(
        poller,
        CADENCES,
        new SelfReport(
            CADENCES, new Build("1.2", "abc", "17"), new SelfReport.ReloadReport(Instant.EPOCH)),
        () -> Samples.EMPTY,
        UnaryOperator.identity(),
        budget);
  }

  private TextPage page(PageBudget budget) {
    PageBuffer page = new PageBuffer();
    new PageLayout.PageRenderer()
        .render(samples(budget).all(PresetFilter.none()), PageFormat.TEXT_0_0_4, page);
    return TextPage.parse(
        new String(page.toBytes(), StandardCharsets.UTF_8), PageFormat.TEXT_0_0_4);
  }

  private static PageBudget budget(int series, long bytes) {
    return new PageBudget(new PageBudget.Limits(series, bytes, 0, 0));
  }

  private static long seriesOf(TextPage page, String source) {
    return page.samples(FakeSource.RATIO.name()).stream()
        .filter(sample -> source.equals(sample.labels().get("source")))
        .count();
  }

  @Test
  void hardwareIsNeverLeftOutAndEnginesAreTheFirst() {
    add("engine", PageShare.INFERENCE, 10, 0);
    add("rank", PageShare.TRAINING, 10, 0);
    add("jobs", PageShare.JOBS, 10, 0);
    add("gpu", PageShare.NODE, 10, 0);
    PageBudget budget = budget(30, 1 << 20);
    TextPage page = page(budget);

    assertThat(seriesOf(page, "gpu")).isEqualTo(10);
    assertThat(seriesOf(page, "jobs")).isEqualTo(10);
    assertThat(seriesOf(page, "rank")).isEqualTo(10);
    assertThat(seriesOf(page, "engine")).isZero();
    assertThat(page.value("lapwing_page_sources_left_out", "kind", "inference")).hasValue(1.0);
    assertThat(page.value("lapwing_page_series_left_out", "kind", "inference")).hasValue(10.0);
    assertThat(page.value("lapwing_page_sources_left_out", "kind", "training")).hasValue(0.0);
    assertThat(page.value("lapwing_page_series")).hasValue(30.0);
    assertThat(budget.leftOut()).containsExactly("engine");
  }

  @Test
  void unverifiedRanksAreLeftOutBeforeAllOthers() {
    add("a_stranger", PageShare.UNVERIFIED_TRAINING, 20, 0);
    add("b_engine", PageShare.INFERENCE, 10, 0);
    add("c_rank", PageShare.TRAINING, 10, 0);
    TextPage page = page(budget(30, 1 << 20));

    assertThat(seriesOf(page, "c_rank")).isEqualTo(10);
    assertThat(seriesOf(page, "b_engine")).isEqualTo(10);
    assertThat(seriesOf(page, "a_stranger")).isZero();
    assertThat(page.value("lapwing_page_series_left_out", "kind", "unverified_training"))
        .hasValue(20.0);
  }

  @Test
  void hardwareIsShownEvenIfItIsTooLargeItself() {
    add("jobs", PageShare.JOBS, 1, 0);
    add("gpu", PageShare.NODE, 50, 0);
    TextPage page = page(budget(30, 1 << 20));

    assertThat(seriesOf(page, "gpu")).isEqualTo(50);
    assertThat(seriesOf(page, "jobs")).isZero();
  }

  @Test
  void jobsHaveSomeRoomBesideAnyHardware() {
    add("jobs", PageShare.JOBS, 1, 0);
    add("gpu", PageShare.NODE, 50, 0);
    TextPage page = page(new PageBudget(new PageBudget.Limits(30, 1 << 20, 5, 1 << 10)));

    assertThat(seriesOf(page, "jobs")).isEqualTo(1);
  }

  @Test
  void longLabelsCountAndASmallSourceBehindALargeOneStillFits() {
    add("gpu", PageShare.NODE, 10, 0);
    add("large", PageShare.TRAINING, 10, 250);
    add("small", PageShare.TRAINING, 10, 0);
    TextPage page = page(budget(1000, 2000));

    assertThat(seriesOf(page, "gpu")).isEqualTo(10);
    assertThat(seriesOf(page, "large")).as("never a part of a source").isZero();
    assertThat(seriesOf(page, "small")).isEqualTo(10);
    assertThat(page.value("lapwing_page_sources_left_out", "kind", "training")).hasValue(1.0);
    assertThat(page.value("lapwing_page_series_left_out", "kind", "training")).hasValue(10.0);
  }

  @Test
  void theLimitIsAnUpperLimitOfWhatIsWritten() {
    List<String> values = List.of("plain", "\"\\\n\"", "Größe", "日本語", "\uD83D\uDE00");
    for (String value : values) {
      Labels labels = Labels.of("source", value, "other", "");
      poller.add(
          new FakeSource(value)
              .with("count", Cadence.SLOW, sink -> sink.add(FakeSource.RATIO, labels, 1)));
    }
    List<Samples> all = samples(budget(1000, 1 << 20)).of(PresetFilter.none(), name -> true);

    assertThat(all).hasSameSizeAs(values);
    for (Samples one : all) {
      int written = PageText.line(one.series().get(0)).getBytes(StandardCharsets.UTF_8).length;
      assertThat(one.lineBytes()).isBetween((long) written, written + 4L);
    }
  }

  @Test
  void aFilteredPageHasTheSameLimit() {
    add("gpu", PageShare.NODE, 10, 0);
    add("rank", PageShare.TRAINING, 30, 0);

    assertThat(samples(budget(30, 1 << 20)).of(PresetFilter.none(), Set.of("count")::contains))
        .hasSize(1);
  }
}
