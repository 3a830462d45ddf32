package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.preset.Families;
import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.FakeSource;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.metric.Samples;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Collection status, series by series. */
class SelfReportTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Cadences CADENCES =
      new Cadences(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5));

  private final VirtualClock clock = new VirtualClock();
  private final Poller poller = new Poller(new SnapshotBoard(), CADENCES, clock);
  private final SelfReport report =
      new SelfReport(
          CADENCES, new Build("1.2", "abc", "17"), new SelfReport.ReloadReport(Instant.EPOCH));
  private final PageSamples samples =
      new PageSamples(
          poller,
          CADENCES,
          report,
          this::evaluated,
          UnaryOperator.identity(),
          new PageBudget(PageBudget.Limits.DEFAULT));
  private final FakeSource first = new FakeSource("gpu0").with("power", Cadence.FAST, 1);
  private final FakeSource second = new FakeSource("gpu1").with("power", Cadence.FAST, 2);
  private Duration evaluationTime = Duration.ZERO;

  @AfterEach
  void close() {
    second.comeBack();
    poller.close();
  }

  private Samples evaluated() {
    clock.advance(evaluationTime);
    return Samples.EMPTY;
  }

  private TextPage page() {
    return page(Preset.FULL);
  }

  private TextPage page(Preset preset) {
    PageBuffer page = new PageBuffer();
    new PageLayout.PageRenderer()
        .render(
            samples.all(new PresetFilter(new Families(preset, false))),
            PageFormat.TEXT_0_0_4,
            page);
    return TextPage.parse(
        new String(page.toBytes(), StandardCharsets.UTF_8), PageFormat.TEXT_0_0_4);
  }

  private void start() {
    poller.add(first);
    poller.add(second);
    awaitRounds(1, first, second);
  }

  private void awaitRounds(int rounds, FakeSource... sources) {
    for (FakeSource source : sources) {
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  poller.activities().stream()
                      .anyMatch(
                          state ->
                              state.source().equals(source.name()) && state.rounds() >= rounds));
    }
  }

  @Test
  void withoutProblemsEveryStatusIsOneOrZero() {
    start();
    TextPage page = page();

    assertThat(page.value("lapwing_build_info", "version", "1.2", "revision", "abc")).hasValue(1.0);
    assertThat(page.samples("lapwing_test_up")).hasSize(2).allMatch(up -> up.value() == 1);
    assertThat(page.value("lapwing_collector_success", "collector", "power")).hasValue(1.0);
    assertThat(page.value("lapwing_collector_overdue_sources", "collector", "power")).hasValue(0.0);
    assertThat(page.value("lapwing_collector_last_success_timestamp_seconds"))
        .hasValue((double) VirtualClock.START.getEpochSecond());
    assertThat(page.samples("lapwing_source_hung")).hasSize(2).allMatch(hung -> hung.value() == 0);
    assertThat(page.samples("lapwing_collector_read_errors_total")).isEmpty();
    assertThat(page.value("lapwing_page_series")).hasValue(2.0);
  }

  /** Their zeros are 92 series of a node. */
  @Test
  void belowFullOnlyFailingCollectorsHaveTheirLastSuccess() {
    second.is(new Access.Down("gpu_is_lost", "it fell off"));
    first.with("clocks", Cadence.FAST, 1);
    start();
    TextPage page = page(Preset.STANDARD);

    assertThat(page.samples("lapwing_collector_success")).hasSize(2);
    for (String family :
        List.of(
            "lapwing_collector_last_success_timestamp_seconds",
            "lapwing_collector_overdue_sources")) {
      assertThat(page.samples(family))
          .singleElement()
          .satisfies(one -> assertThat(one.labels()).containsEntry("collector", "power"));
      assertThat(page(Preset.FULL).samples(family)).hasSize(2);
    }
  }

  @Test
  void nothingIsKeptOfSourcesThatCameAndWent() {
    start();
    page();
    int ofOne = report.cached();
    for (int job = 0; job < 50; job++) {
      FakeSource rank = new FakeSource("training-" + job + "-0").with("power", Cadence.FAST, 1);
      poller.add(rank);
      awaitRounds(1, rank);
      assertThat(page().value("lapwing_source_hung", "source", rank.name())).hasValue(0.0);
      poller.remove(rank.name());
    }
    page();
    assertThat(report.cached()).isEqualTo(ofOne);
  }

  @Test
  void aSourceThatIsDownFailsItsCollectors() {
    second.is(new Access.Down("gpu_is_lost", "it fell off"));
    start();
    TextPage page = page();

    assertThat(page.value("lapwing_test_up", "source", "gpu0")).hasValue(1.0);
    assertThat(page.value("lapwing_test_up", "source", "gpu1")).hasValue(0.0);
    assertThat(page.value("lapwing_collector_success")).hasValue(0.0);
    assertThat(page.value("lapwing_collector_last_success_timestamp_seconds")).hasValue(0.0);
    assertThat(page.value("lapwing_collector_read_errors_total", "reason", "gpu_is_lost"))
        .hasValue(1.0);
    assertThat(page.value("lapwing_page_series")).hasValue(1.0);
  }

  @Test
  void nothingToReadIsASuccess() {
    second.is(new Access.NothingHere("no such thing"));
    start();
    TextPage page = page();

    assertThat(page.value("lapwing_collector_success")).hasValue(1.0);
    assertThat(page.value("lapwing_test_up", "source", "gpu1")).hasValue(0.0);
    assertThat(page.samples("lapwing_collector_read_errors_total")).isEmpty();
  }

  @Test
  void aHungSourceIsOverdueAndHasNoSamples() {
    start();
    second.hang();
    clock.advance(Duration.ofSeconds(5));
    awaitRounds(2, first);
    await().atMost(PATIENCE).until(() -> second.begun().size() == 2);
    clock.advance(Duration.ofSeconds(8));
    awaitRounds(3, first);
    TextPage page = page();

    assertThat(page.value("lapwing_source_hung", "source", "gpu1")).hasValue(1.0);
    assertThat(page.value("lapwing_source_hung_seconds", "source", "gpu1")).hasValue(8.0);
    assertThat(page.value("lapwing_collector_overdue_sources")).hasValue(1.0);
    assertThat(page.value("lapwing_collector_success")).hasValue(0.0);
    assertThat(page.samples(FakeSource.RATIO.name()))
        .singleElement()
        .satisfies(left -> assertThat(left.labels()).containsEntry("source", "gpu0"));
    assertThat(page.value("lapwing_test_up", "source", "gpu1")).hasValue(0.0);
  }

  @Test
  void aSourceThatHangsDuringAScrapeIsNotDownNextToItsValues() {
    start();
    second.hang();
    clock.advance(Duration.ofSeconds(5));
    awaitRounds(2, first);
    await().atMost(PATIENCE).until(() -> second.begun().size() == 2);
    evaluationTime = Duration.ofSeconds(8);
    TextPage page = page();

    assertThat(page.samples(FakeSource.RATIO.name())).hasSize(2);
    assertThat(page.samples("lapwing_test_up")).hasSize(2).allMatch(up -> up.value() == 1);
    assertThat(page.value("lapwing_source_hung", "source", "gpu1")).hasValue(0.0);
  }

  @Test
  void theDurationIsThatOfTheSlowestSource() {
    FakeSource slow =
        new FakeSource("gpu2")
            .with("power", Cadence.FAST, sink -> clock.advance(Duration.ofMillis(1500)));
    start();
    poller.add(slow);
    awaitRounds(1, slow);

    assertThat(page().value("lapwing_collector_duration_seconds"))
        .hasValueSatisfying(seconds -> assertThat(seconds).isGreaterThanOrEqualTo(1.5));
  }

  @Test
  void aFilteredResponseHasNoCollectionStatus() {
    start();

    assertThat(samples.of(PresetFilter.none(), List.of("power")::contains)).hasSize(2);
    assertThat(samples.of(PresetFilter.none(), name -> false)).isEmpty();
  }
}
