package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Trends;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChangeDetectorTest {

  private static final String GPU = "GPU-3";

  private final Map<Metric, Double> values = new HashMap<>();
  private final List<Event> log = new ArrayList<>();
  private ChangeDetector detector = new ChangeDetector(List.of());
  private Instant now = Instant.parse("2026-03-01T03:00:00Z");
  private PartStatus.State state = PartStatus.State.ANSWERS;
  private DriverStatus driver = new DriverStatus.Up("580", 1);
  private long reloads;
  private String serial = "";
  private Set<String> awaitReset = Set.of();

  private List<Event> detect() {
    now = now.plusSeconds(10);
    GpuStatus gpu =
        new GpuStatus(
            GPU,
            3,
            "0000:53:00",
            state,
            state == PartStatus.State.ANSWERS ? "" : "gpu_is_lost",
            metric ->
                metric.equals(GpuMetrics.INFO) && !serial.isEmpty()
                    ? Map.of(List.of("NVIDIA H100 80GB HBM3", serial, "00000000:53:00.0"), 1.0)
                    : values.containsKey(metric) && state == PartStatus.State.ANSWERS
                        ? Map.of(List.of(), values.get(metric))
                        : Map.of());
    List<Event> events =
        detector.detect(
            new NodeSnapshot(
                now,
                new NodeFacts(
                    "n",
                    "",
                    "",
                    Optional.empty(),
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    OptionalInt.empty()),
                driver,
                NodeSnapshot.AgentStatus.ALL_AVAILABLE,
                List.of(gpu),
                List.of(),
                new History(log),
                Trends.NONE),
            reloads,
            awaitReset);
    log.addAll(events);
    return events;
  }

  private void later(Duration time) {
    now = now.plus(time);
  }

  private ChangeDetectorTest set(Metric metric, double value) {
    values.put(metric, value);
    return this;
  }

  private void restart() {
    detector = new ChangeDetector(log);
  }

  private static <T> T as(Class<T> kind, Event event) {
    assertThat(event).isInstanceOf(kind);
    return kind.cast(event);
  }

  @Test
  void theSerialOfABoardIsNotedOnceAndWhenItChanges() {
    serial = "1650522032781";
    Event.GpuIdentified identified = as(Event.GpuIdentified.class, detect().get(0));
    assertThat(identified.gpu()).isEqualTo(GPU);
    assertThat(identified.serial()).isEqualTo("1650522032781");
    assertThat(identified.name()).isEqualTo("NVIDIA H100 80GB HBM3");
    assertThat(detect()).isEmpty();

    restart();
    assertThat(detect()).isEmpty();
    serial = "1650522032782";
    assertThat(detect()).singleElement().isInstanceOf(Event.GpuIdentified.class);
  }

  @Test
  void aGpuWithoutASerialIsNotIdentified() {
    assertThat(detect()).isEmpty();
  }

  @Test
  void whatWasThereBeforeIsNoGrowth() {
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 5).set(DcgmMetrics.ECC_SBE_AGG_TOTAL, 900);

    assertThat(detect()).isEmpty();
    assertThat(detect()).isEmpty();
  }

  @Test
  void errorsSinceTheDriverWasLoadedThatAreThereAtFirstSightAreGrowth() {
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 5).set(DcgmMetrics.ECC_DBE_VOL_TOTAL, 2);
    Event.EccGrowth growth = as(Event.EccGrowth.class, detect().get(0));
    assertThat(growth.to() - growth.from()).isEqualTo(2);
    assertThat(growth.sinceLoad()).isTrue();
    assertThat(detect()).isEmpty();
    restart();
    assertThat(detect()).as("noted once").isEmpty();
  }

  @Test
  void oneMissedReadDoesNotMakeTheErrorsOfALifetimeNew() {
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 4).set(DcgmMetrics.ECC_DBE_VOL_TOTAL, 0);
    set(DcgmMetrics.ECC_SBE_AGG_TOTAL, 500).set(DcgmMetrics.ECC_SBE_VOL_TOTAL, 3);
    assertThat(detect()).isEmpty();
    values.remove(DcgmMetrics.ECC_DBE_AGG_TOTAL);
    values.remove(DcgmMetrics.ECC_SBE_AGG_TOTAL);
    assertThat(detect()).as("the other counters").isEmpty();
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 4).set(DcgmMetrics.ECC_SBE_AGG_TOTAL, 500);
    assertThat(detect()).as("they are back").isEmpty();
  }

  @Test
  void anErrorWhileOneCounterIsMissingCountsOnce() {
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 4).set(DcgmMetrics.ECC_DBE_VOL_TOTAL, 0);
    detect();
    values.remove(DcgmMetrics.ECC_DBE_AGG_TOTAL);
    set(DcgmMetrics.ECC_DBE_VOL_TOTAL, 1);
    assertThat(as(Event.EccGrowth.class, detect().get(0)).sinceLoad()).isTrue();
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 5);
    assertThat(detect()).as("the same error").isEmpty();
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 6).set(DcgmMetrics.ECC_DBE_VOL_TOTAL, 2);
    assertThat(detect()).as("the next one").hasSize(1);
  }

  @Test
  void anUncorrectableErrorIsNotedAtOnceEachTime() {
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 0);
    detect();
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 1);
    Event.EccGrowth growth = as(Event.EccGrowth.class, detect().get(0));
    assertThat(growth.corrected()).isFalse();
    assertThat(growth.from()).isZero();
    assertThat(growth.to()).isEqualTo(1);
    assertThat(growth.since()).isEqualTo(now.minusSeconds(10));

    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 3);
    assertThat(as(Event.EccGrowth.class, detect().get(0)).from()).isEqualTo(1);
  }

  @Test
  void correctedErrorsAreNotedWhenTheyBeginAndThenHourly() {
    set(DcgmMetrics.ECC_SBE_AGG_TOTAL, 0);
    detect();
    set(DcgmMetrics.ECC_SBE_AGG_TOTAL, 10);
    assertThat(detect()).hasSize(1);
    set(DcgmMetrics.ECC_SBE_AGG_TOTAL, 500);
    assertThat(detect()).isEmpty();
    later(Duration.ofMinutes(61));

    Event.EccGrowth growth = as(Event.EccGrowth.class, detect().get(0));
    assertThat(growth.from()).isEqualTo(10);
    assertThat(growth.to()).isEqualTo(500);
  }

  @Test
  void withoutAnAggregateTheVolatileCountIsUsedAndMayRestart() {
    set(DcgmMetrics.ECC_DBE_VOL_TOTAL, 4);
    detect();
    set(DcgmMetrics.ECC_DBE_VOL_TOTAL, 2);

    Event.EccGrowth growth = as(Event.EccGrowth.class, detect().get(0));
    assertThat(growth.from()).isZero();
    assertThat(growth.to()).isEqualTo(2);
  }

  @Test
  void errorsThatCameWhileTheAgentDidNotRunAreNotedWhenItIsBack() {
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 0);
    detect();
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 1);
    detect();
    set(DcgmMetrics.ECC_DBE_AGG_TOTAL, 4);
    restart();

    assertThat(as(Event.EccGrowth.class, detect().get(0)).to()).isEqualTo(4);
    restart();
    assertThat(detect()).isEmpty();
  }

  @Test
  void rowsAreRecordedAtTheFirstReadingAndWhenTheyIncrease() {
    set(DcgmMetrics.CORRECTABLE_REMAPPED_ROWS, 0).set(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS, 2);
    assertThat(detect()).hasSize(1);
    assertThat(detect()).isEmpty();
    set(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS, 3);

    assertThat(as(Event.RowsRemapped.class, detect().get(0)).uncorrectable()).isEqualTo(3);
    restart();
    assertThat(detect()).isEmpty();
  }

  @Test
  void aGpuIsLostOnceAndReturnsOnce() {
    detect();
    state = PartStatus.State.DOWN;
    assertThat(as(Event.GpuLost.class, detect().get(0)).reason()).isEqualTo("gpu_is_lost");
    assertThat(detect()).isEmpty();
    restart();
    assertThat(detect()).isEmpty();
    state = PartStatus.State.ANSWERS;

    assertThat(detect()).singleElement().isInstanceOf(Event.GpuReturned.class);
    assertThat(detect()).isEmpty();
  }

  @Test
  void aGpuUnderADriverThatDoesNotAnswerIsNotLost() {
    detect();
    state = PartStatus.State.DOWN;
    driver = new DriverStatus.Down("driver_not_loaded", "why");

    assertThat(detect()).isEmpty();
  }

  @Test
  void anEnergyCounterThatRestartsIsAReset() {
    set(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, 9e9);
    detect();
    set(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, 5e3);

    assertThat(detect()).singleElement().isInstanceOf(Event.GpuReset.class);
  }

  @Test
  void aReloadedDriverIsNotAResetOfEachGpu() {
    set(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, 9e9);
    detect();
    set(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, 5e3);
    reloads = 1;

    assertThat(detect()).singleElement().isInstanceOf(Event.DriverLoaded.class);
  }

  @Test
  void aDriverLoadInTheKernelLogIsRecordedOnce() {
    detect();
    log.add(new Event.DriverLoaded(now, "580"));
    reloads = 1;

    assertThat(detect()).isEmpty();
  }

  @Test
  void twoReloadsWithinAMinuteAreTwo() {
    detect();
    reloads = 1;
    assertThat(detect()).hasSize(1);
    reloads = 2;
    assertThat(detect()).singleElement().isInstanceOf(Event.DriverLoaded.class);
    log.add(new Event.DriverLoaded(now.plusSeconds(2), "580"));
    reloads = 3;
    assertThat(detect()).as("the kernel log has it").isEmpty();
  }

  @Test
  void aResetWhileTheAgentWasStoppedIsSeenWhereOneWasAwaited() {
    awaitReset = Set.of(GPU);
    set(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, 9e9);
    assertThat(detect()).singleElement().isInstanceOf(Event.GpuSeen.class);
    assertThat(detect()).isEmpty();
    restart();
    set(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, 5e3);

    assertThat(detect()).anyMatch(Event.GpuReset.class::isInstance);
  }

  @Test
  void aBootIsNoReset() {
    awaitReset = Set.of(GPU);
    set(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, 9e9);
    detect();
    log.add(new Event.Booted(now, "boot", "i-1"));
    restart();
    set(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, 5e3);

    assertThat(detect()).noneMatch(Event.GpuReset.class::isInstance);
  }
}
