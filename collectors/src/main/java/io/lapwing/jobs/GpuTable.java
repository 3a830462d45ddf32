package io.lapwing.jobs;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The GPUs by index and by UUID. */
final class GpuTable {

  private final List<JobGpus.Gpu> gpus;
  private final Map<Integer, String> byIndex = new HashMap<>();
  private final Map<String, GpuPlace> byUuid = new HashMap<>();

  GpuTable(List<JobGpus.Gpu> known) {
    gpus = known.stream().sorted(Comparator.comparingInt(JobGpus.Gpu::index)).toList();
    for (JobGpus.Gpu gpu : gpus) {
      byIndex.put(gpu.index(), gpu.uuid());
      byUuid.put(gpu.uuid(), GpuPlace.whole(gpu.uuid()));
      gpu.slices()
          .forEach(
              (uuid, instance) ->
                  byUuid.put(uuid, new GpuPlace(gpu.uuid(), String.valueOf(instance))));
    }
  }

  /** Sorted by index. */
  List<JobGpus.Gpu> gpus() {
    return gpus;
  }

  Optional<GpuPlace> whole(int index) {
    return Optional.ofNullable(byIndex.get(index)).map(GpuPlace::whole);
  }

  /** The GPU of {@code /dev/nvidiaN}: by its minor number, or by its index if that is unknown. */
  Optional<GpuPlace> device(int number) {
    return gpus.stream()
        .filter(gpu -> gpu.minor().equals(String.valueOf(number)))
        .findAny()
        .or(
            () ->
                gpus.stream()
                    .filter(gpu -> gpu.minor().isEmpty() && gpu.index() == number)
                    .findAny())
        .map(gpu -> GpuPlace.whole(gpu.uuid()));
  }

  /**
   * The GPU that a driver of Dynamic Resource Allocation calls {@code gpu-N}: by its minor number,
   * by older drivers its index. Empty if these are different GPUs.
   */
  Optional<GpuPlace> claimed(int number) {
    return gpus.stream()
        .filter(gpu -> gpu.index() == number && gpu.minor().equals(String.valueOf(number)))
        .findAny()
        .map(gpu -> GpuPlace.whole(gpu.uuid()));
  }

  /**
   * The MIG instance that a driver of Dynamic Resource Allocation calls {@code
   * gpu-N-mig-1g10gb-19-S}: by the minor number of its GPU, which all drivers with such names use,
   * and the start S of its placement, or its profile if only one has it.
   */
  Optional<GpuPlace> claimed(String minor, String profile, int start) {
    return gpus.stream()
        .filter(gpu -> gpu.minor().equals(minor))
        .findAny()
        .flatMap(gpu -> instance(gpu, profile, start));
  }

  private static Optional<GpuPlace> instance(JobGpus.Gpu gpu, String profile, int start) {
    List<JobGpus.Instance> alike =
        gpu.instances().stream()
            .filter(one -> nameInClaim(one.profile()).equals(profile))
            .filter(one -> one.start().isEmpty() || one.start().getAsInt() == start)
            .toList();
    return alike.size() == 1
        ? Optional.of(new GpuPlace(gpu.uuid(), String.valueOf(alike.get(0).id())))
        : Optional.empty();
  }

  /** {@code 1g10gb-me} of {@code 1g.10gb+me}: names of devices have no dots. */
  private static String nameInClaim(String profile) {
    return profile.toLowerCase(Locale.ROOT).replace(".", "").replaceAll("[^a-z0-9-]", "-");
  }

  Optional<GpuPlace> slice(int index, int instance) {
    return gpus.stream()
        .filter(gpu -> gpu.index() == index && gpu.mayHave(instance))
        .findAny()
        .map(gpu -> new GpuPlace(gpu.uuid(), String.valueOf(instance)));
  }

  Optional<GpuPlace> of(String uuid) {
    return Optional.ofNullable(byUuid.get(uuid));
  }

  Optional<GpuPlace> slice(String uuid, String instance) {
    return byUuid.containsKey(uuid) ? Optional.of(new GpuPlace(uuid, instance)) : Optional.empty();
  }

  /** A GPU, or the MIG GPU instance on it with a decimal id; empty for the whole GPU. */
  record GpuPlace(String uuid, String instance) {

    static GpuPlace whole(String uuid) {
      return new GpuPlace(uuid, "");
    }

    /** Whether both may denote the same GPU or slice. */
    boolean mayEqual(GpuPlace other) {
      return uuid.equals(other.uuid)
          && (instance.equals(other.instance) || instance.isEmpty() || other.instance.isEmpty());
    }

    /** The more specific of two places that may be the same. */
    GpuPlace moreSpecific(GpuPlace other) {
      return instance.isEmpty() ? other : this;
    }
  }
}
