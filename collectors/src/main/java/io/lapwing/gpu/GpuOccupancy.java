package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.GpuProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The last lists of compute processes and of MIG instances of each GPU. Thread-safe. */
public final class GpuOccupancy {

  /** Bounds the memory over GPU replacements. */
  private static final int MAX_GPUS = 64;

  private final Map<String, Listed> byUuid = new ConcurrentHashMap<>();
  private final MigBoard mig = new MigBoard();

  private record Listed(List<GpuProcess> processes, Instant at) {}

  /**
   * Reads the processes of one GPU. The call takes milliseconds, hence the slow cadence.
   *
   * <pre>
   * lapwing_gpu_compute_processes 1     nvmlDeviceGetComputeRunningProcesses_v3
   * </pre>
   */
  GpuSubject processes() {
    return GpuSubject.of("gpu_processes", "how many processes compute", Cadence.SLOW, this::read);
  }

  private void read(GpuRound round) {
    Reading<List<GpuProcess>> processes = round.gpu().computeProcesses();
    String uuid = round.identity().uuid();
    Optional<List<GpuProcess>> listed = processes.toOptional();
    listed.ifPresentOrElse(list -> listed(uuid, list, round.now()), () -> unknown(uuid));
    round.put(GpuMetrics.PROCESSES, processes.map(List::size));
  }

  void listed(String uuid, List<GpuProcess> processes, Instant at) {
    if (byUuid.size() < MAX_GPUS || byUuid.containsKey(uuid)) {
      byUuid.put(uuid, new Listed(List.copyOf(processes), at));
    }
  }

  void unknown(String uuid) {
    byUuid.remove(uuid);
  }

  public MigBoard mig() {
    return mig;
  }

  /** The processes of a GPU; empty if unknown or older than {@code validity}. */
  public Optional<List<GpuProcess>> of(String uuid, Instant now, Duration validity) {
    return Optional.ofNullable(byUuid.get(uuid))
        .filter(listed -> !listed.at().plus(validity).isBefore(now))
        .map(Listed::processes);
  }
}
