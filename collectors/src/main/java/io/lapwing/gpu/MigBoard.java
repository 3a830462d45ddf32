package io.lapwing.gpu;

import io.lapwing.nvml.MigDevice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
