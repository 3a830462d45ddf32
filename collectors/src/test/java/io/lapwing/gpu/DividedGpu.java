package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.RecordedSink;
import io.lapwing.jobs.JobGpus;
import io.lapwing.nvml.JnaNvml;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The first GPU of a simulated node with all its subjects, and as the jobs see it. */
public final class DividedGpu implements JobGpus {

  private static final Duration WINDOW = Duration.ofMinutes(5);

  private final SimulatedNode node;
  private final GpuOccupancy occupancy = new GpuOccupancy();
  private final GpuRoster roster = new GpuRoster();
  private final GpuSource source;
  private Instant now = Instant.ofEpochSecond(StillNode.EPOCH);

  public DividedGpu(SimulatedNode node) {
    this.node = node;
    String library = node.library(Variant.NEW).toString();
    NvmlDriver driver = new NvmlDriver(() -> JnaNvml.load(library, this::nanos));
    driver.attach();
    source =
        new GpuSource(
            0,
            new GpuContext(driver, roster, Probe.VIEW, () -> now, this::nanos),
            GpuSubjects.of(any -> true, WINDOW, occupancy, DcgmBoards.off(), new FabricDomain()));
  }

  private long nanos() {
    return Duration.between(Instant.EPOCH, now).toNanos();
  }

  /** A round of all subjects. */
  public RecordedSink at(double seconds) {
    return round(seconds, source.collectors());
  }

  /** A round without those that are read less often. */
  RecordedSink fastAt(double seconds) {
    return round(
        seconds,
        source.collectors().stream().filter(one -> one.cadence() == Cadence.FAST).toList());
  }

  private RecordedSink round(double seconds, List<Collector> due) {
    StillNode.letPass(node, seconds);
    now = Instant.ofEpochSecond(StillNode.EPOCH).plusNanos(Math.round(seconds * 1e9));
    source.begin(due);
    RecordedSink sink = new RecordedSink();
    due.forEach(collector -> collector.collect(sink));
    return sink;
  }

  @Override
  public List<Gpu> gpus() {
    return roster.all().stream()
        .map(GpuRoster.Known::identity)
        .map(
            gpu ->
                new Gpu(
                    gpu.index(),
                    gpu.minorNumber(),
                    gpu.uuid(),
                    occupancy.mig().devices(gpu.uuid()),
                    occupancy.mig().placed(gpu.uuid()).stream()
                        .map(one -> new Instance(one.id(), one.profile(), one.start()))
                        .toList()))
        .toList();
  }

  private static Occupant occupant(GpuOccupancy.GpuUse use) {
    return new Occupant(
        use.process().pid(),
        use.process().instance(),
        use.process().usedMemory(),
        use.mpsClient(),
        use.smUtilization());
  }

  @Override
  public Optional<List<Occupant>> occupants(String uuid) {
    return occupancy
        .of(uuid, now, WINDOW)
        .map(all -> all.stream().map(DividedGpu::occupant).toList());
  }
}
