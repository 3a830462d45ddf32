package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.MigDevice;
import io.lapwing.nvml.NvmlGpu.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A MIG GPU instance with the devices on it, at least one: NVML lists no instance without a compute
 * instance, and no program can use one.
 */
record MigInstance(int id, List<MigDevice> devices) {

  MigInstance {
    devices = List.copyOf(devices);
  }

  /** By id. */
  static List<MigInstance> of(List<MigDevice> devices) {
    Map<Integer, List<MigDevice>> byId = new TreeMap<>();
    for (MigDevice device : devices) {
      byId.computeIfAbsent(device.gpuInstance(), unseen -> new ArrayList<>()).add(device);
    }
    return byId.entrySet().stream()
        .map(one -> new MigInstance(one.getKey(), one.getValue()))
        .toList();
  }

  String profile() {
    return devices.get(0).profile();
  }

  Reading<Memory> memory() {
    return devices.get(0).memory();
  }

  /** Slices of the GPU; empty where NVML has no attributes. */
  OptionalInt slices() {
    for (MigDevice device : devices) {
      if (device.attributes().isPresent()) {
        return OptionalInt.of(device.attributes().get().gpuSlices());
      }
    }
    return OptionalInt.empty();
  }

  /** Of all compute instances; empty where NVML has no attributes of one. */
  OptionalInt multiprocessors() {
    int sum = 0;
    for (MigDevice device : devices) {
      if (device.attributes().isEmpty()) {
        return OptionalInt.empty();
      }
      sum += device.attributes().get().multiprocessors();
    }
    return OptionalInt.of(sum);
  }
}
