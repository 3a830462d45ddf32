package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Series;
import io.lapwing.nvml.Nvml.DriverVersions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The driver as a source. It initialises NVML, starts a source for each GPU and exposes
 *
 * <pre>
 * lapwing_gpu_driver_up 1
 * lapwing_gpu_driver_info{driver_version="570.133.20",nvml_version="12.570.133.20",cuda_version="12.8"} 1
 * lapwing_gpu_driver_reloads_total 0
 * lapwing_gpus 8
 * lapwing_gpu_up{gpu="3",UUID="GPU-..."} 0     a GPU that NVML no longer counts
 * </pre>
 *
 * from {@code nvmlInit_v2}, {@code nvmlSystemGet...Version} and {@code nvmlDeviceGetCount_v2}.
 */
public final class DriverSource extends FixedSource {

  public static final String COLLECTOR = "gpu_driver";

  public static final String NAME = "nvml";

  private final NvmlDriver driver;
  private final GpuRoster roster;
  private final SourceSet sources;
  private final IntFunction<Source> gpuSource;
  private final List<Source> companions;
  private final Map<DriverVersions, Labels> infoLabels = new HashMap<>();
  private int started;
  private long generation;
  private volatile boolean seen;

  /** The source of the driver; {@code companions} are other sources that need a driver. */
  public DriverSource(
      NvmlDriver driver,
      GpuRoster roster,
      SourceSet sources,
      IntFunction<Source> gpuSource,
      List<Source> companions) {
    super(NAME, GPUS);
    add(COLLECTOR, Cadence.MEDIUM, this::collect);
    this.driver = driver;
    this.roster = roster;
    this.sources = sources;
    this.gpuSource = gpuSource;
    this.companions = List.copyOf(companions);
  }

  /** Empty on a node that never had the library. */
  @Override
  public Optional<Series> up() {
    return seen ? Optional.of(UP) : Optional.empty();
  }

  private static final Series UP = new Series(GpuMetrics.DRIVER_UP, Labels.NONE);

  @Override
  public Access begin(List<Collector> due) {
    Access access = driver.attach();
    seen |= !(access instanceof Access.NothingHere);
    if (access instanceof Access.Ready) {
      startGpus(driver.gpuCount());
    }
    return access;
  }

  private void startGpus(int count) {
    for (int index = started; index < count; index++) {
      sources.add(gpuSource.apply(index));
    }
    for (int index = count; index < started; index++) {
      sources.remove(GpuSource.name(index));
    }
    if (generation != driver.generation()) {
      generation = driver.generation();
      // Indices may have moved: which GPUs are missing is unknown until all were read.
      for (int index = 0; index < Math.min(started, count); index++) {
        sources.wake(GpuSource.name(index));
      }
    }
    started = count;
    companions.forEach(sources::add);
  }

  private void collect(SampleSink sink) {
    sink.add(
        GpuMetrics.DRIVER_INFO,
        infoLabels.computeIfAbsent(driver.versions(), DriverSource::labels),
        1);
    sink.add(GpuMetrics.DRIVER_RELOADS, Labels.NONE, (double) driver.reloads());
    sink.add(GpuMetrics.COUNT, Labels.NONE, driver.gpuCount());
    roster.gone(driver.gpuCount()).forEach(gpu -> sink.add(GpuMetrics.UP, gpu.own(), 0));
  }

  private static Labels labels(DriverVersions versions) {
    return Labels.of(
        "driver_version",
        versions.driver(),
        "nvml_version",
        versions.nvml(),
        "cuda_version",
        versions.cuda());
  }
}
