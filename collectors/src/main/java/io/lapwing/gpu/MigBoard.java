package io.lapwing.gpu;

import io.lapwing.nvml.MigDevice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/** The MIG instances of each GPU, as they were read last. Thread-safe. */
public final class MigBoard {

  private final Map<String, Divided> byUuid = new ConcurrentHashMap<>();

  /**
   * @param slices of the whole GPU
   */
  private record Divided(List<MigInstance> instances, OptionalInt slices) {}

  /**
   * Takes over the instances of a GPU.
   *
   * @param slices of the whole GPU
   */
  void put(String uuid, List<MigInstance> instances, OptionalInt slices) {
    if (instances.isEmpty()) {
      byUuid.remove(uuid);
    } else {
      byUuid.put(uuid, new Divided(List.copyOf(instances), slices));
    }
  }

  /** Of the GPU with that UUID; empty without MIG. */
  List<MigInstance> instances(String uuid) {
    Divided gpu = byUuid.get(uuid);
    return gpu == null ? List.of() : gpu.instances();
  }

  /** The slices of an instance over those of its GPU; empty where NVML has no attributes. */
  public OptionalDouble share(String uuid, int instance) {
    Divided gpu = byUuid.get(uuid);
    if (gpu == null || gpu.slices().orElse(0) <= 0) {
      return OptionalDouble.empty();
    }
    for (MigInstance one : gpu.instances()) {
      OptionalInt slices = one.id() == instance ? one.slices() : OptionalInt.empty();
      if (slices.isPresent()) {
        return OptionalDouble.of((double) slices.getAsInt() / gpu.slices().getAsInt());
      }
    }
    return OptionalDouble.empty();
  }

  /** The instances of a GPU, with what distinguishes them. */
  public List<Placed> placed(String uuid) {
    return instances(uuid).stream()
        .map(
            one ->
                new Placed(
                    one.id(),
                    one.profile(),
                    one.devices().get(0).placement().stream()
                        .mapToInt(MigDevice.Placement::start)
                        .findAny()))
        .toList();
  }

  /** An instance; the start of its placement is empty without permission to read it. */
  public record Placed(int id, String profile, OptionalInt start) {}

  /** The ids of a GPU's instances by the UUID of each MIG device. */
  public Map<String, Integer> devices(String uuid) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    for (MigInstance instance : instances(uuid)) {
      for (MigDevice device : instance.devices()) {
        ids.put(device.uuid(), instance.id());
      }
    }
    return ids;
  }
}
