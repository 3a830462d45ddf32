package io.lapwing.agent.sources;

import io.lapwing.gpu.GpuIdentity;
import io.lapwing.gpu.GpuOccupancy;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.jobs.JobGpus;
import io.lapwing.training.TrainingGpus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The GPUs and their processes, for workload sources; a process list is valid for {@code validity}.
 */
public record GpuDirectory(
    GpuRoster roster, GpuOccupancy occupancy, Supplier<Duration> validity, InstantSource clock)
    implements JobGpus, TrainingGpus {

  /** Excludes GPUs that were replaced at the same index. */
  @Override
  public List<Gpu> gpus() {
    return roster.all().stream()
        .filter(known -> roster.at(known.identity().index()).filter(known::equals).isPresent())
        .map(known -> gpu(known.identity()))
        .toList();
  }

  private Gpu gpu(GpuIdentity gpu) {
    return new Gpu(
        gpu.index(),
        gpu.minorNumber(),
        gpu.uuid(),
        occupancy.mig().devices(gpu.uuid()),
        occupancy.mig().placed(gpu.uuid()).stream()
            .map(one -> new Instance(one.id(), one.profile(), one.start()))
            .toList());
  }

  @Override
  public int count() {
    return gpus().size();
  }

  @Override
  public Optional<List<Occupant>> occupants(String uuid) {
    return occupancy
        .of(uuid, clock.instant(), validity.get())
        .map(all -> all.stream().map(GpuDirectory::occupant).toList());
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
  public Optional<TrainingGpus.RankGpu> byUuid(String uuid) {
    return roster.all().stream()
        .map(GpuRoster.Known::identity)
        .filter(gpu -> gpu.uuid().equals(uuid))
        .findFirst()
        .map(GpuDirectory::trained);
  }

  @Override
  public Optional<TrainingGpus.RankGpu> byIndex(int index) {
    return roster.at(index).map(known -> trained(known.identity()));
  }

  @Override
  public Optional<TrainingGpus.RankGpu> byPid(long pid) {
    List<GpuIdentity> all =
        roster.all().stream()
            .map(GpuRoster.Known::identity)
            .filter(gpu -> computes(pid, gpu.uuid()))
            .toList();
    return all.size() == 1
        ? Optional.of(trained(all.get(0), share(pid, all.get(0).uuid())))
        : Optional.empty();
  }

  /** Of a GPU: 1, or the slices of the MIG instances on which the process computes. */
  private OptionalDouble share(long pid, String uuid) {
    int[] instances =
        occupants(uuid).stream()
            .flatMap(List::stream)
            .filter(one -> one.pid() == pid)
            .flatMapToInt(one -> one.instance().stream())
            .distinct()
            .toArray();
    double share = instances.length == 0 ? 1 : 0;
    for (int instance : instances) {
      share += occupancy.mig().share(uuid, instance).orElse(Double.NaN);
    }
    return Double.isNaN(share) ? OptionalDouble.empty() : OptionalDouble.of(share);
  }

  /** Whether a process computes on any GPU. */
  boolean isUsedBy(long pid) {
    return roster.all().stream()
        .map(GpuRoster.Known::identity)
        .anyMatch(gpu -> computes(pid, gpu.uuid()));
  }

  /** NVML's index of a GPU; empty if the UUID is unknown. */
  OptionalInt index(String uuid) {
    return byUuid(uuid).map(gpu -> OptionalInt.of(gpu.index())).orElse(OptionalInt.empty());
  }

  private boolean computes(long pid, String uuid) {
    return occupants(uuid).stream().flatMap(List::stream).anyMatch(one -> one.pid() == pid);
  }

  private static TrainingGpus.RankGpu trained(GpuIdentity gpu) {
    return trained(gpu, OptionalDouble.of(1));
  }

  private static TrainingGpus.RankGpu trained(GpuIdentity gpu, OptionalDouble share) {
    return new TrainingGpus.RankGpu(gpu.index(), gpu.uuid(), share);
  }
}
