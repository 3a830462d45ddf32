package io.lapwing.gpu;

import io.lapwing.nvml.MigDevice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/** The MIG instances of each GPU, as they were read last. Thread-safe. */
public final class MigBoard {

  private final Map<String, List<MigInstance>> byUuid = new ConcurrentHashMap<>();

  void put(String uuid, List<MigInstance> instances) {
    if (instances.isEmpty()) {
      byUuid.remove(uuid);
    } else {
      byUuid.put(uuid, List.copyOf(instances));
    }
  }

  /** Of the GPU with that UUID; empty without MIG. */
  List<MigInstance> instances(String uuid) {
    return byUuid.getOrDefault(uuid, List.of());
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
