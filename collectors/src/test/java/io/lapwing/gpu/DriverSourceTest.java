package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.nvml.FakeGpu;
import io.lapwing.nvml.FakeNvml;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriverSourceTest {

  /** The sources by name, as the poller keeps them. */
  private static final class KnownSources implements SourceSet {
    private final Map<String, Source> byName = new LinkedHashMap<>();
    private final List<String> woken = new ArrayList<>();

    @Override
    public void add(Source source) {
      byName.putIfAbsent(source.name(), source);
    }

    @Override
    public void remove(String name) {
      byName.remove(name);
    }

    @Override
    public void wake(String name) {
      woken.add(name);
    }
  }

  private final FakeNvml nvml = new FakeNvml(3);
  private final KnownSources sources = new KnownSources();
  private final GpuRoster roster = new GpuRoster();
  private final NvmlDriver driver = new NvmlDriver(() -> Reading.of(nvml));
  private final DriverSource source = source(driver);

  private DriverSource source(NvmlDriver of) {
    GpuContext context = new GpuContext(of, roster, Probe.VIEW, InstantSource.system(), () -> 0);
    return new DriverSource(
        of,
        roster,
        sources,
        index -> new GpuSource(index, context, List.of(GpuOperation.clocks())),
        List.of(new GpuPeerSource(context)));
  }

  private List<String> page() {
    Collector collector = source.collectors().get(0);
    return RecordedSink.of(collector).lines();
  }

  private Access round() {
    Access access = source.begin(source.collectors());
    List.copyOf(sources.byName.values()).forEach(gpu -> gpu.begin(gpu.collectors()));
    return access;
  }

  private static String info(String driver, String nvml, String cuda) {
    return "lapwing_gpu_driver_info{driver_version=\"%s\",nvml_version=\"%s\",cuda_version=\"%s\"} 1"
        .formatted(driver, nvml, cuda);
  }

  @Test
  void eachGpuAndEachCompanionGetsASource() {
    assertThat(round()).isEqualTo(Access.READY);
    assertThat(sources.byName).containsOnlyKeys("gpu0", "gpu1", "gpu2", "gpu_peers");
  }

  @Test
  void theDriverShowsItsVersionsItsReloadsAndItsGpus() {
    round();
    assertThat(page())
        .containsExactly(
            info("570.1", "12.570.1", "12.8"),
            "lapwing_gpu_driver_reloads_total 0",
            "lapwing_gpus 3");
  }

  @Test
  void anUpgradeIsCountedAndTheVersionsAreTheNewOnes() {
    round();
    nvml.versions("580.1", "13.580.1", "13.0");
    round();
    assertThat(page())
        .containsExactly(
            info("580.1", "13.580.1", "13.0"),
            "lapwing_gpu_driver_reloads_total 1",
            "lapwing_gpus 3");
  }

  @Test
  void aGpuThatVanishedIsShownAsDownWithItsOldLabels() {
    round();
    nvml.unplug(1);
    nvml.versions("580.1", "13.580.1", "13.0");
    round();
    assertThat(sources.byName).containsOnlyKeys("gpu0", "gpu1", "gpu_peers");
    assertThat(page())
        .contains("lapwing_gpus 2", "lapwing_gpu_up{gpu=\"1\",UUID=\"GPU-1\"} 0")
        .hasSize(4);
  }

  @Test
  void afterAReloadTheGpusAreReadAtOnce() {
    round();
    round();
    assertThat(sources.woken).isEmpty();
    nvml.unplug(1);
    nvml.versions("580.1", "13.580.1", "13.0");
    round();
    assertThat(sources.woken).containsExactly("gpu0", "gpu1");
  }

  @Test
  void aReturnedGpuIsNoLongerGone() {
    round();
    FakeGpu taken = nvml.unplug(1);
    driver.suspect("uninitialized");
    round();
    assertThat(page()).contains("lapwing_gpu_up{gpu=\"1\",UUID=\"GPU-1\"} 0");
    nvml.putBack(1, taken);
    driver.suspect("uninitialized");
    round();
    assertThat(sources.byName).containsKeys("gpu0", "gpu1", "gpu2");
    assertThat(page()).hasSize(3).contains("lapwing_gpus 3");
  }

  @Test
  void aNodeWithoutTheLibraryHasNoUpSeries() {
    DriverSource none =
        source(new NvmlDriver(() -> new Reading.Failed<>("lib", "library_not_found")));
    assertThat(none.begin(none.collectors())).isInstanceOf(Access.NothingHere.class);
    assertThat(none.up()).isEmpty();
    assertThat(sources.byName).isEmpty();
  }

  @Test
  void aDriverThatDoesNotAnswerIsDown() {
    nvml.fails("driver_not_loaded");
    assertThat(round()).isInstanceOf(Access.Down.class);
    assertThat(source.up())
        .hasValueSatisfying(up -> assertThat(up.metric()).isEqualTo(GpuMetrics.DRIVER_UP));
    assertThat(sources.byName).isEmpty();
  }
}
