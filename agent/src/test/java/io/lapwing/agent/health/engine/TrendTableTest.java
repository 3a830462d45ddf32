package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrendTableTest {

  private static final Metric REPLAYS = DcgmMetrics.PCIE_REPLAY_COUNTER;
  private static final Metric DROPS = Metric.counter("lapwing_test_drops_total", "A help.");
  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final TrendTable trends =
      new TrendTable(
          Map.of("gpu", List.of(REPLAYS, GpuMetrics.NVLINK_ERRORS), "efa", List.of(DROPS)));

  /** By how many seconds the clock was set. */
  private int clockStep;

  private void at(int second, double... value) {
    at(second, List.of(), value);
  }

  private void at(int second, List<String> labels, double... value) {
    Values values = metric -> value.length == 0 ? Map.of() : Map.of(labels, value[0]);
    view(second, List.of(new GpuStatus("GPU-0", 0, "", PartStatus.State.ANSWERS, values)));
  }

  private void view(int second, List<GpuStatus> gpus) {
    trends.add(
        new NodeSnapshot(
            START.plusSeconds(second + clockStep),
            new NodeFacts(
                "node",
                "",
                "",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()),
            new DriverStatus.Up("580", 1),
            NodeSnapshot.AgentStatus.ALL_AVAILABLE,
            gpus,
            List.of(),
            History.EMPTY,
            Trends.NONE),
        Duration.ofSeconds(second));
  }

  private void atDevice(int second, double... value) {
    Values values = metric -> value.length == 0 ? Map.of() : Map.of(List.of(), value[0]);
    trends.add(
        new NodeSnapshot(
            START.plusSeconds(second),
            new NodeFacts(
                "node",
                "",
                "",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()),
            new DriverStatus.Up("580", 1),
            AgentStatus.ALL_AVAILABLE,
            List.of(),
            List.of(new PartStatus("efa", "rdmap0", PartStatus.State.ANSWERS, "", values)),
            History.EMPTY,
            Trends.NONE),
        Duration.ofSeconds(second));
  }

  private OptionalDouble increase(Duration window) {
    return trends.increase("gpu:GPU-0", REPLAYS, List.of(), window);
  }

  @Test
  void theFirstReadingIsNoIncrease() {
    at(0, 500);
    at(60, 500);

    assertThat(increase(MINUTE)).hasValue(0);
  }

  @Test
  void growthIsCountedWithinTheWindowOnly() {
    at(0, 0);
    at(60, 100);
    at(120, 107);

    assertThat(increase(MINUTE)).hasValue(7);
    assertThat(increase(MINUTE.multipliedBy(2))).hasValue(107);
  }

  @Test
  void nothingIsDetectedBeforeHalfTheWindowWasObserved() {
    at(0, 0);
    at(20, 5);
    assertThat(increase(MINUTE)).isEmpty();

    at(30, 5);
    assertThat(increase(MINUTE)).hasValue(5);
  }

  @Test
  void aCounterThatRestartsIncreasesFromZero() {
    at(0, 500);
    at(30, 505);
    at(60, 3);

    assertThat(increase(MINUTE)).hasValue(8);
  }

  @Test
  void anErrorThatAppearsOnAGpuThatWasWatchedBeganAtZero() {
    List<String> link = List.of("3");
    at(0);
    at(60);
    at(70, link, 4);

    assertThat(trends.increase("gpu:GPU-0", GpuMetrics.NVLINK_ERRORS, link, MINUTE)).hasValue(4);
  }

  /** Its collector was switched on. */
  @Test
  void anotherCounterThatAppearsOnAGpuWasThereBefore() {
    List<String> kind = List.of("correctable");
    at(0);
    at(60);
    at(70, kind, 4000);
    at(130, kind, 4001);

    assertThat(trends.increase("gpu:GPU-0", REPLAYS, kind, MINUTE)).hasValue(1);
  }

  @Test
  void aGpuThatWasNotReadForLongIsAsOneThatIsNew() {
    List<String> link = List.of("3");
    int second = 0;
    at(second, link, 40);
    while (second < 1800) {
      second += 10;
      view(second, List.of());
    }
    at(second + 10, link, 40);
    at(second + 70, link, 41);

    assertThat(trends.increase("gpu:GPU-0", GpuMetrics.NVLINK_ERRORS, link, MINUTE)).hasValue(1);
  }

  @Test
  void aSeriesThatAppearsOnAnotherPartWasThereBefore() {
    atDevice(0);
    atDevice(60);
    atDevice(70, 4000);
    atDevice(130, 4007);

    assertThat(trends.increase("efa:rdmap0", DROPS, List.of(), MINUTE)).hasValue(7);
  }

  @ParameterizedTest
  @ValueSource(ints = {-86_400, 86_400})
  void aStepOfTheClockChangesNothing(int step) {
    at(0, 0);
    at(60, 50);
    clockStep = step;
    at(70, 57);
    at(120, 57);

    assertThat(increase(MINUTE)).hasValue(7);
  }

  @Test
  void ofAnUnknownGpuNothingIsKnown() {
    assertThat(trends.increase("gpu:GPU-9", REPLAYS, List.of(), MINUTE)).isEmpty();
  }

  @Test
  void whatIsCoveredOfAWindowIsKnown() {
    for (int second = 0; second <= 90; second += 10) {
      at(second, second);
    }
    assertThat(trends.covered("gpu:GPU-0", REPLAYS, List.of(), MINUTE)).isEqualTo(60);
    assertThat(trends.covered("gpu:GPU-0", REPLAYS, List.of(), MINUTE.multipliedBy(5)))
        .isEqualTo(90);
    assertThat(trends.covered("gpu:GPU-9", REPLAYS, List.of(), MINUTE)).isZero();
  }

  private void rank(TrendTable table, int second, String pid, double seconds) {
    Values values =
        metric ->
            metric.equals(TrainingMetrics.INFO)
                ? Map.of(List.of(pid), 1.0)
                : Map.of(List.of(), seconds);
    table.add(
        new NodeSnapshot(
            START.plusSeconds(second),
            new NodeFacts(
                "node",
                "",
                "",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()),
            new DriverStatus.Up("580", 1),
            AgentStatus.ALL_AVAILABLE,
            List.of(),
            List.of(new PartStatus("training", "4711/1", PartStatus.State.ANSWERS, "", values)),
            History.EMPTY,
            Trends.NONE),
        Duration.ofSeconds(second));
  }

  @Test
  void aRankThatWasStartedAgainHasNoneOfTheFiguresBefore() {
    TrendTable table = new TrendTable(Map.of("training", List.of(TrainingMetrics.COMPUTE_SECONDS)));
    for (int second = 0; second <= 120; second += 10) {
      rank(table, second, "8401", second * 1.2);
    }
    assertThat(computed(table)).hasValueCloseTo(72.0, within(0.01));
    for (int second = 130; second <= 160; second += 10) {
      rank(table, second, "9001", (second - 128) * 0.3);
    }
    assertThat(computed(table)).hasValueCloseTo(9.0, within(0.01));
  }

  private static OptionalDouble computed(TrendTable table) {
    return table.increase("training:4711/1", TrainingMetrics.COMPUTE_SECONDS, List.of(), MINUTE);
  }
}
