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
import java.util.stream.Stream;

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
    return identities().flatMap(gpu -> named(gpu, uuid).stream()).findFirst();
  }

  private Optional<TrainingGpus.RankGpu> named(GpuIdentity gpu, String uuid) {
    if (gpu.uuid().equals(uuid)) {
      return Optional.of(unplaced(gpu));
    }
    return Optional.ofNullable(occupancy.mig().devices(gpu.uuid()).get(uuid))
        .map(instance -> on(gpu, instance));
  }

  @Override
  public Optional<TrainingGpus.RankGpu> byIndex(int index) {
    return roster.at(index).map(GpuRoster.Known::identity).map(this::unplaced);
  }

  @Override
  public Optional<TrainingGpus.RankGpu> byPid(long pid) {
    List<TrainingGpus.RankGpu> all =
        identities().flatMap(gpu -> usedBy(pid, gpu).stream()).toList();
    return all.size() == 1 ? Optional.of(all.get(0)) : Optional.empty();
  }

  private Optional<TrainingGpus.RankGpu> usedBy(long pid, GpuIdentity gpu) {
    List<Occupant> its =
        occupants(gpu.uuid()).orElse(List.of()).stream().filter(one -> one.pid() == pid).toList();
    return its.isEmpty() ? Optional.empty() : Optional.of(used(gpu, its));
  }

  /** The GPU, its MIG instance, or the sum of those on which a process computes. */
  private TrainingGpus.RankGpu used(GpuIdentity gpu, List<Occupant> its) {
    int[] instances =
        its.stream().flatMapToInt(one -> one.instance().stream()).distinct().toArray();
    if (instances.length < 2) {
      return instances.length == 0 ? unplaced(gpu) : on(gpu, instances[0]);
    }
    double share = 0;
    for (int instance : instances) {
      share += occupancy.mig().share(gpu.uuid(), instance).orElse(Double.NaN);
    }
    return new TrainingGpus.RankGpu(
        gpu.index(),
        gpu.uuid(),
        OptionalInt.empty(),
        Double.isNaN(share) ? OptionalDouble.empty() : OptionalDouble.of(share));
  }

  private TrainingGpus.RankGpu on(GpuIdentity gpu, int instance) {
    return new TrainingGpus.RankGpu(
        gpu.index(),
        gpu.uuid(),
        OptionalInt.of(instance),
        occupancy.mig().share(gpu.uuid(), instance));
  }

  /** On the whole GPU, or, where that is divided, on an instance that is not known. */
  private TrainingGpus.RankGpu unplaced(GpuIdentity gpu) {
    return new TrainingGpus.RankGpu(
        gpu.index(),
        gpu.uuid(),
        OptionalInt.empty(),
        isDivided(gpu) ? OptionalDouble.empty() : OptionalDouble.of(1));
  }

  private boolean isDivided(GpuIdentity gpu) {
    return !occupancy.mig().placed(gpu.uuid()).isEmpty();
  }

  @Override
  public OptionalDouble share() {
    return identities().anyMatch(this::isDivided) ? OptionalDouble.empty() : OptionalDouble.of(1);
  }

  private Stream<GpuIdentity> identities() {
    return roster.all().stream().map(GpuRoster.Known::identity);
  }

  /** Whether a process computes on any GPU. */
  boolean isUsedBy(long pid) {
    return identities().anyMatch(gpu -> computes(pid, gpu.uuid()));
  }

  /** NVML's index of a GPU; empty if the UUID is unknown. */
  OptionalInt index(String uuid) {
    return byUuid(uuid).map(gpu -> OptionalInt.of(gpu.index())).orElse(OptionalInt.empty());
  }

  private boolean computes(long pid, String uuid) {
    return occupants(uuid).stream().flatMap(List::stream).anyMatch(one -> one.pid() == pid);
  }
}
