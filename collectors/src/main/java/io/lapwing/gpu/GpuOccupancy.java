package io.lapwing.gpu;

import io.lapwing.nvml.NvmlGpu.GpuProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The processes that compute on each GPU, as they were listed last. Written by the threads of the
 * GPUs, read by any.
 */
public final class GpuOccupancy {

  /** Who ever had processes on a GPU that was exchanged is not kept for ever. */
  private static final int MOST_GPUS = 64;

  private final Map<String, Listed> byUuid = new ConcurrentHashMap<>();

  private record Listed(List<GpuProcess> processes, Instant at) {}

  void listed(String uuid, List<GpuProcess> processes, Instant at) {
    if (byUuid.size() < MOST_GPUS || byUuid.containsKey(uuid)) {
      byUuid.put(uuid, new Listed(List.copyOf(processes), at));
    }
  }

  /** Nobody knows any more who is on a GPU. */
  void unknown(String uuid) {
    byUuid.remove(uuid);
  }

  /**
   * The processes of a GPU.
   *
   * @param now by the clock of the rounds
   * @param validity of a list; one that is older says nothing of now
   * @return empty where they are not known
   */
  public Optional<List<GpuProcess>> of(String uuid, Instant now, Duration validity) {
    return Optional.ofNullable(byUuid.get(uuid))
        .filter(listed -> !listed.at().plus(validity).isBefore(now))
        .map(Listed::processes);
  }
}
