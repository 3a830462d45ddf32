package io.lapwing.gpu;

import static io.lapwing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class XidWatchTest {

  private static final Instant NOW = Instant.ofEpochSecond(StillNode.EPOCH);

  private final FakeNvml nvml = new FakeNvml(3);
  private final NvmlDriver driver = new NvmlDriver(() -> Reading.of(nvml));
  private final GpuRoster roster = new GpuRoster();
  private final List<XidWatch.Event> received = new CopyOnWriteArrayList<>();
  private final XidWatch watch = watch(driver);
  private @Nullable Thread thread;

  private XidWatch watch(NvmlDriver of) {
    return new XidWatch(of, roster, InstantSource.fixed(NOW), System::nanoTime, received::add);
  }

  private void run(XidWatch toRun) {
    Thread runner = new Thread(toRun, "watch under test");
    runner.setDaemon(true);
    runner.start();
    thread = runner;
  }

  @AfterEach
  void stop() {
    watch.close();
    Thread runner = thread;
    if (runner != null) {
      runner.interrupt();
    }
  }

  private static XidWatch.Event event(String uuid, long number) {
    return new XidWatch.Event(uuid, number, OptionalInt.empty(), NOW);
  }

  private void awaitReceived(XidWatch.Event... events) {
    await().untilAsserted(() -> assertThat(received).containsExactly(events));
  }

  @Test
  void eachXidHasTheUuidOfItsGpu() {
    driver.attach();
    nvml.xid(1, 94);
    nvml.xid(1, 94);
    nvml.xid(2, 79);
    run(watch);
    awaitReceived(event("GPU-1", 94), event("GPU-1", 94), event("GPU-2", 79));
    assertThat(watch.unavailable()).isEmpty();
  }

  @Test
  void anXidFromTheRealWaitArrivesOnce(@TempDir Path dir) {
    SimulatedNode node = StillNode.p5(dir);
    node.set("gpu.3.uuid", "GPU-three");
    NvmlDriver simulated = new NvmlDriver(() -> Reading.of(StillNode.nvml(node)));
    simulated.attach();
    XidWatch real = watch(simulated);
    run(real);
    await()
        .untilAsserted(
            () -> {
              node.xid(3, 13);
              assertThat(received).isNotEmpty();
            });
    node.xid(3, 79);
    await().until(() -> received.contains(event("GPU-three", 79)));
    assertThat(received).containsOnlyOnce(event("GPU-three", 79));
    real.close();
  }

  /** What hangs or was never read must not make an XID nameless. */
  @Test
  void theUuidIsThatOfTheRegisteredGpuNotOfTheRoster() {
    driver.attach();
    GpuIdentity old = new GpuIdentity(1, "GPU-old", "", "", "", "", "", "");
    roster.present(
        new GpuRoster.Known(old, io.lapwing.metric.Labels.NONE, io.lapwing.metric.Labels.NONE, 0));
    nvml.xid(1, 94);
    run(watch);
    awaitReceived(event("GPU-1", 94));
  }

  @Test
  void withoutADriverNoXidIsReceived() {
    run(watch);
    await().until(() -> watch.unavailable().equals(Optional.of("driver_not_loaded")));
    assertThat(nvml.eventSets()).isZero();
  }

  @Test
  void gpusWithoutXidEventsAreReportedAsUnsupported() {
    driver.attach();
    nvml.eventSupport(new Reading.Unsupported<>("nvmlDeviceRegisterEvents"));
    run(watch);
    await().until(() -> watch.unavailable().equals(Optional.of("unsupported")));
  }

  /** A GPU that is lost ends the wait for all; the others' XIDs must not be missed for long. */
  @Test
  void aSetThatFailsAfterItWorkedIsReopenedAtOnce() {
    driver.attach();
    nvml.xid(1, 79);
    nvml.nextEvent(new Reading.Failed<>("nvmlEventSetWait_v2", "gpu_is_lost"));
    nvml.xid(2, 94);
    nvml.nextEvent(new Reading.Failed<>("nvmlEventSetWait_v2", "gpu_is_lost"));
    nvml.xid(2, 95);
    run(watch);
    awaitReceived(event("GPU-1", 79), event("GPU-2", 94), event("GPU-2", 95));
    assertThat(nvml.eventSets()).isEqualTo(3);
  }

  @Test
  void aSetThatNeverWorkedIsReopenedAfterAPause() {
    driver.attach();
    for (int i = 0; i < 100; i++) {
      nvml.nextEvent(new Reading.Failed<>("nvmlEventSetWait_v2", "unknown"));
    }
    run(watch);
    await().until(() -> watch.unavailable().equals(Optional.of("unknown")));
    assertThat(nvml.eventSets()).isEqualTo(1);
  }

  @Test
  void aReloadedDriverMeansANewSet() {
    driver.attach();
    nvml.xid(1, 13);
    run(watch);
    awaitReceived(event("GPU-1", 13));
    driver.suspect("uninitialized");
    driver.attach();
    nvml.xid(1, 43);
    nvml.xid(1, 45);
    awaitReceived(event("GPU-1", 13), event("GPU-1", 43), event("GPU-1", 45));
    assertThat(nvml.eventSets()).isEqualTo(2);
  }

  @Test
  void aWatchThatIsStartedLongAfterItWasMadeIsNotTakenForHung() {
    AtomicLong now = new AtomicLong();
    XidWatch made = new XidWatch(driver, roster, () -> NOW, now::get, received::add);
    Source source = source(made);
    driver.attach();
    now.set(Duration.ofHours(1).toNanos());
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    await().untilAsserted(() -> assertThat(listening(source)).isEqualTo(1));
    made.close();
  }

  @Test
  void aHungWaitIsReportedAsUnavailable() {
    AtomicLong now = new AtomicLong();
    XidWatch made = new XidWatch(driver, roster, () -> NOW, now::get, received::add);
    Source source = source(made);
    driver.attach();
    source.begin(source.collectors());
    await().until(() -> nvml.eventSets() == 1);
    now.set(XidWatch.WAIT.multipliedBy(3).toNanos() + 1);
    assertThat(listening(source)).isZero();
    assertThat(RecordedSink.of(source.collectors().get(0)).failures())
        .containsExactly("nvmlEventSetWait_v2: hung");
    made.close();
  }

  @Test
  void settingTheClockIsNotAHang() {
    AtomicReference<Instant> now = new AtomicReference<>(NOW);
    AtomicLong nanos = new AtomicLong();
    XidWatch made = new XidWatch(driver, roster, now::get, nanos::get, received::add);
    Source source = source(made);
    driver.attach();
    source.begin(source.collectors());
    await().until(() -> nvml.eventSets() == 1);

    now.set(NOW.plus(Duration.ofDays(1)));
    assertThat(listening(source)).isEqualTo(1);

    now.set(NOW.minus(Duration.ofDays(1)));
    nanos.set(XidWatch.WAIT.multipliedBy(3).toNanos() + 1);
    assertThat(listening(source)).isZero();
    made.close();
  }

  private Source source(XidWatch watch) {
    return new XidSource(watch, sink -> {});
  }

  private static double listening(Source source) {
    return RecordedSink.of(source.collectors().get(0))
        .value(GpuMetrics.XID_LISTENING)
        .orElseThrow();
  }
}
