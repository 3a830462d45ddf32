package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.agent.web.NodeReport;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GPUs and drivers that hang, go and come back under an agent that goes on. */
class BreakdownTest {

  private static final String ENERGY = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION";

  private static SimulatedNode p5(Path dir) {
    return SimulatedNode.create(dir, InstanceType.named("p5.48xlarge"));
  }

  private static TextPage awaitPage(TestAgent agent, Predicate<TextPage> wanted) {
    return await().atMost(TestAgent.PATIENCE).until(agent::page, wanted);
  }

  private static Predicate<TextPage> gpusUp(int count) {
    return page ->
        page.samples("lapwing_gpu_up").stream().filter(up -> up.value() == 1).count() == count;
  }

  private static Predicate<TextPage> gpu(int index, double up) {
    return page ->
        page.value("lapwing_gpu_up", "gpu", String.valueOf(index)).equals(Optional.of(up));
  }

  private static List<TextPage.Sample> of(TextPage page, int gpu) {
    return page.samples()
        .filter(sample -> sample.name().startsWith("DCGM_FI_DEV_"))
        // XIDs are of the node's listener, and stay.
        .filter(sample -> !sample.name().equals("DCGM_FI_DEV_XID_ERRORS"))
        .filter(sample -> String.valueOf(gpu).equals(sample.labels().get("gpu")))
        .toList();
  }

  private static Map<String, Double> energies(TextPage page) {
    Map<String, Double> energies = new LinkedHashMap<>();
    page.samples(ENERGY)
        .forEach(
            sample -> energies.put(String.valueOf(sample.labels().get("gpu")), sample.value()));
    return energies;
  }

  @Test
  void aGpuThatHangsCostsItsOwnSeriesOnlyAndComesBack(@TempDir Path dir) throws Exception {
    SimulatedNode node = p5(dir);
    try (TestAgent agent = TestAgent.quick(node)) {
      awaitPage(agent, gpusUp(8));
      node.set("gpu.3.block.*", "forever");

      TextPage hung = awaitPage(agent, gpu(3, 0));

      assertThat(of(hung, 3)).isEmpty();
      assertThat(hung.value("lapwing_source_hung", "source", "gpu3")).hasValue(1.0);
      assertThat(gpusUp(7)).accepts(hung);
      double seconds = hungSeconds(hung);
      assertThat(seconds).isGreaterThan(0.5);
      Map<String, Double> before = energies(hung);
      assertThat(before).hasSize(7).doesNotContainKey("3");
      TextPage later =
          awaitPage(
              agent,
              page ->
                  energies(page).size() == 7
                      && energies(page).entrySet().stream()
                          .allMatch(
                              one -> one.getValue() > before.getOrDefault(one.getKey(), 0.0)));
      assertThat(hungSeconds(later)).isGreaterThan(seconds);

      node.clear("gpu.3.block.*");

      TextPage back = awaitPage(agent, gpusUp(8));
      assertThat(back.value("lapwing_source_hung", "source", "gpu3")).hasValue(0.0);
      assertThat(back.value("lapwing_source_hung_seconds", "source", "gpu3")).isEmpty();
      awaitPage(agent, page -> of(page, 3).size() == of(page, 2).size());
    }
  }

  private static double hungSeconds(TextPage page) {
    return page.value("lapwing_source_hung_seconds", "source", "gpu3").orElse(0.0);
  }

  @Test
  void aGpuThatIsLostIsDownAndCountedUntilItReturns(@TempDir Path dir) throws Exception {
    SimulatedNode node = p5(dir);
    try (TestAgent agent = TestAgent.quick(node)) {
      awaitPage(agent, gpusUp(8));
      node.set("gpu.5.lost", "1");

      TextPage lost = awaitPage(agent, gpu(5, 0));

      assertThat(of(lost, 5)).isEmpty();
      assertThat(gpusUp(7)).accepts(lost);
      assertThat(
              lost.value(
                  "lapwing_collector_read_errors_total",
                  "collector",
                  "gpu_temperature",
                  "reason",
                  "gpu_is_lost"))
          .hasValueSatisfying(times -> assertThat(times).isPositive());
      assertThat(lost.value("lapwing_source_hung", "source", "gpu5")).hasValue(0.0);
      assertThat(lost.value("lapwing_collector_success", "collector", "gpu_temperature"))
          .hasValue(0.0);

      node.clear("gpu.5.lost");

      TextPage back = awaitPage(agent, gpusUp(8));
      awaitPage(agent, page -> of(page, 5).size() == of(page, 4).size());
      assertThat(back.value("lapwing_gpu_driver_reloads_total")).hasValue(0.0);
    }
  }

  @Test
  void aReplacedDriverIsDetectedReportedAndReadAgain(@TempDir Path dir) throws Exception {
    SimulatedNode node = p5(dir);
    try (TestAgent agent = TestAgent.quick(node)) {
      awaitPage(agent, gpusUp(8));
      node.set("driver.loaded", "0");

      TextPage gone =
          awaitPage(
              agent,
              page ->
                  page.value("lapwing_gpu_driver_up").equals(Optional.of(0.0))
                      && page.samples("lapwing_gpu_up").stream().allMatch(up -> up.value() == 0));

      assertThat(gone.samples("lapwing_gpu_up")).hasSize(8);
      assertThat(IntStream.range(0, 8).mapToObj(index -> of(gone, index))).allMatch(List::isEmpty);
      assertThat(gone.value("lapwing_node_info")).hasValue(1.0);

      node.setAll(
          Map.of(
              "driver.loaded", "1",
              "driver.generation", "2",
              "driver.version", "590.10.01"));

      TextPage back = awaitPage(agent, gpusUp(8));
      assertThat(back.value("lapwing_gpu_driver_info", "driver_version", "590.10.01"))
          .hasValue(1.0);
      assertThat(back.samples("lapwing_gpu_driver_info")).hasSize(1);
      assertThat(back.value("lapwing_gpu_driver_reloads_total")).hasValue(1.0);
      assertThat(back.value("lapwing_gpu_driver_up")).hasValue(1.0);
    }
  }

  @Test
  void aDriverThatComesUpWithFewerGpusLeavesTheMissingOneAtZero(@TempDir Path dir)
      throws Exception {
    SimulatedNode node = p5(dir);
    node.set("gpu.count", "2");
    try (TestAgent agent = TestAgent.quick(node)) {
      awaitPage(agent, gpusUp(2));
      node.setAll(Map.of("gpu.count", "1", "driver.generation", "2"));

      TextPage fewer =
          awaitPage(agent, page -> page.value("lapwing_gpus").equals(Optional.of(1.0)));

      assertThat(fewer.value("lapwing_gpu_up", "gpu", "1")).hasValue(0.0);
      TextPage settled = awaitPage(agent, gpusUp(1));
      assertThat(settled.samples("lapwing_gpu_up")).hasSize(2);
      assertThat(of(settled, 1)).isEmpty();
    }
  }

  @Test
  void aDriverThatHangsAtItsStartLeavesAPageThatShowsIt(@TempDir Path dir) throws Exception {
    SimulatedNode node = p5(dir);
    node.set("system.block.nvmlInit_v2", "forever");
    try (TestAgent agent = TestAgent.quick(node)) {
      TextPage page =
          awaitPage(
              agent,
              seen -> seen.value("lapwing_source_hung", "source", "nvml").equals(Optional.of(1.0)));

      assertThat(page.value("lapwing_node_info")).hasValue(1.0);
      assertThat(page.samples("lapwing_gpu_up")).isEmpty();
      assertThat(agent.wiring().poller().settled()).isTrue();
      NodeReport.Source nvml =
          ((NodeReport) agent.wiring().content().node().get())
              .sources().stream()
                  .filter(source -> source.name().equals("nvml"))
                  .findFirst()
                  .orElseThrow();
      assertThat(nvml.state()).isEqualTo("hung");
      assertThat(nvml.hungFor()).isPositive();

      node.clear("system.block.nvmlInit_v2");
      awaitPage(agent, gpusUp(8));
    }
  }

  /** In one step of an otherwise constant time: no source ran, so only age can remove it. */
  @Test
  void valuesThatAreTooOldLeaveThePageWhileTheirAgeStays(@TempDir Path dir) throws Exception {
    VirtualClock sources = new VirtualClock();
    VirtualClock readers = new VirtualClock();
    SimulatedNode node = p5(dir);
    node.set("gpu.count", "1");
    PollClock clock = new SplitClock(sources, readers);
    try (TestAgent agent = TestAgent.started(TestAgent.settings(node), clock, nvml -> nvml)) {
      agent.awaitRounds(Map.of("gpu0", 1, "nvml", 1, "node", 1));
      assertThat(of(agent.page(), 0)).isNotEmpty();

      readers.advance(Duration.ofSeconds(19));
      TextPage aged = agent.page();
      readers.advance(Duration.ofSeconds(2));
      TextPage expired = agent.page();

      assertThat(aged.samples("DCGM_FI_DEV_SM_CLOCK")).hasSize(1);
      assertThat(expired.samples("DCGM_FI_DEV_SM_CLOCK")).isEmpty();
      // Temperatures are read half as often and hold twice as long.
      assertThat(expired.samples("DCGM_FI_DEV_GPU_TEMP")).hasSize(1);
      assertThat(expired.value("lapwing_collector_overdue_sources", "collector", "gpu_clocks"))
          .hasValue(1.0);
      assertThat(
              expired.value(
                  "lapwing_collector_last_success_timestamp_seconds", "collector", "gpu_clocks"))
          .hasValue((double) VirtualClock.START.getEpochSecond());
    }
  }

  /** The sources' threads see one time and those who ask for pages another. */
  private record SplitClock(VirtualClock sources, VirtualClock readers) implements PollClock {

    private VirtualClock mine() {
      return Thread.currentThread().getName().startsWith("source-") ? sources : readers;
    }

    @Override
    public Instant instant() {
      return mine().instant();
    }

    @Override
    public long nanoTime() {
      return mine().nanoTime();
    }

    @Override
    public void park(Object who, long nanos) {
      mine().park(who, nanos);
    }
  }
}
