package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.nvml.CountedNvml;
import io.lapwing.nvml.StillNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which C functions a round costs, by name. */
class CallsTest {

  private static final String BATCH = "nvmlDeviceGetFieldValues";
  private static final String PROCESSES = "nvmlDeviceGetComputeRunningProcesses_v3";

  private CountedNvml counted;
  private Source source;

  /** The identical list for the same cadences, as in the agent. */
  private final Map<List<Cadence>, List<Collector>> lists = new HashMap<>();

  @BeforeEach
  void openNode(@TempDir Path dir) {
    counted = new CountedNvml(StillNode.p5(dir));
    NvmlDriver driver = new NvmlDriver(() -> Reading.of(counted.nvml()));
    driver.attach();
    source =
        new GpuSource(
            0,
            new GpuContext(driver, new GpuRoster(), Probe.VIEW, InstantSource.system(), () -> 0),
            GpuSubjects.of(name -> true, Duration.ofMinutes(5)));
  }

  private List<Collector> collectors(List<Cadence> due) {
    return source.collectors().stream()
        .filter(collector -> due.contains(collector.cadence()))
        .toList();
  }

  private List<String> round(Cadence... due) {
    int before = counted.calls().size();
    List<Collector> collectors = lists.computeIfAbsent(List.of(due), this::collectors);
    assertThat(source.begin(collectors)).isEqualTo(Access.READY);
    collectors.forEach(RecordedSink::of);
    return counted.calls().subList(before, counted.calls().size());
  }

  @Test
  void aRoundIsFewListsOfFieldsAndOneSample() {
    round(Cadence.values());
    round(Cadence.FAST); // A 0 that is new in a list is asked again alone.
    round(Cadence.FAST, Cadence.MEDIUM);
    int batches = 0;
    for (int i = 0; i < 12; i++) {
      List<String> calls = round(Cadence.FAST);
      batches += Collections.frequency(calls, BATCH);
      assertThat(calls.stream().filter("nvmlGpmSampleGet"::equals)).hasSizeLessThan(2);
      assertThat(calls).hasSizeLessThan(16);
    }
    assertThat(batches).as("one each, and now and then one for a 0").isBetween(12, 14);
    assertThat(round(Cadence.FAST, Cadence.MEDIUM))
        .as("the links of the GPU are some hundred fields")
        .filteredOn(BATCH::equals)
        .hasSizeLessThan(12);
  }

  @Test
  void processesAreListedOnTheSlowCadenceOnly() {
    for (int i = 0; i < 12; i++) {
      round(Cadence.FAST, Cadence.MEDIUM);
    }
    assertThat(counted.count(PROCESSES)).isZero();
    assertThat(round(Cadence.SLOW)).containsOnlyOnce(PROCESSES);
  }

  @Test
  void aGpuWithOneProcessCostsNoQuestionsAboutSharing() {
    round(Cadence.values());
    assertThat(counted.calls())
        .contains(PROCESSES)
        .doesNotContain(
            "nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetProcessUtilization");
  }

  @Test
  void callsThatMeasureWhileTheCallerWaitsAreNeverMade() {
    for (int i = 0; i < 12; i++) {
      round(Cadence.values());
    }
    assertThat(counted.calls()).contains(BATCH).doesNotContain("nvmlDeviceGetPcieThroughput");
    assertThat(Stream.of(CountedNvml.known()))
        .contains(BATCH)
        .doesNotContain("nvmlDeviceGetPcieThroughput");
  }

  @Test
  void identityIsNotReadAgain() {
    round(Cadence.values());
    int calls = counted.calls().size();
    round(Cadence.values());
    assertThat(counted.calls().subList(calls, counted.calls().size()))
        .doesNotContain("nvmlDeviceGetUUID", "nvmlDeviceGetName", "nvmlDeviceGetHandleByIndex_v2");
  }
}
