package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.GpuProcess;
import io.lapwing.nvml.NvmlGpu.ProcessSample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The last lists of compute processes and of MIG instances of each GPU. Thread-safe. */
public final class GpuOccupancy {

  /** Bounds the memory over GPU replacements. */
  private static final int MAX_GPUS = 64;

  private static final double PERCENT = 100;

  private final Map<String, Listed> byUuid = new ConcurrentHashMap<>();
  private final MigBoard mig = new MigBoard();

  private record Listed(List<GpuUse> uses, Instant at, long sampledMicros) {}

  /**
   * A process on a GPU.
   *
   * @param mpsClient whether it is a client of the Multi-Process Service; empty if unknown, as on a
   *     GPU with one process
   * @param smUtilization share of the time in which it had a kernel on the GPU, by the driver's
   *     samples since the previous list; empty for clients of MPS, of which the driver does not
   *     tell it reliably, on a GPU with MIG, and on one with one process
   */
  public record GpuUse(
      GpuProcess process, Optional<Boolean> mpsClient, OptionalDouble smUtilization) {

    static GpuUse of(GpuProcess process) {
      return new GpuUse(process, Optional.empty(), OptionalDouble.empty());
    }
  }

  /**
   * Reads the processes of one GPU. The call takes milliseconds, hence the slow cadence; who shares
   * the GPU how is read only where several processes are on it.
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
    listed.ifPresentOrElse(list -> read(round, uuid, list), () -> unknown(uuid));
    round.put(GpuMetrics.PROCESSES, processes.map(List::size));
  }

  private void read(GpuRound round, String uuid, List<GpuProcess> list) {
    if (list.size() < 2) {
      listed(uuid, list, round.now());
      return;
    }
    Reading<List<GpuProcess>> clients = round.gpu().mpsProcesses();
    round.note(clients);
    long since = Optional.ofNullable(byUuid.get(uuid)).map(Listed::sampledMicros).orElse(0L);
    Reading<List<ProcessSample>> samples = round.gpu().processUtilization(since);
    round.note(samples);
    long newest =
        samples.toOptional().stream()
            .flatMap(List::stream)
            .mapToLong(ProcessSample::atMicros)
            .reduce(since, Math::max);
    put(uuid, new Listed(uses(list, clients, samples), round.now(), newest));
  }

  /** With clients of MPS that are in the driver's list of clients only, as before Volta. */
  private static List<GpuUse> uses(
      List<GpuProcess> list,
      Reading<List<GpuProcess>> clients,
      Reading<List<ProcessSample>> samples) {
    Optional<Set<Integer>> ofMps =
        clients
            .toOptional()
            .map(all -> all.stream().map(GpuProcess::pid).collect(Collectors.toSet()));
    Set<Integer> computing = list.stream().map(GpuProcess::pid).collect(Collectors.toSet());
    List<GpuProcess> all = new ArrayList<>(list);
    clients.toOptional().stream()
        .flatMap(List::stream)
        .filter(process -> !computing.contains(process.pid()))
        .forEach(all::add);
    Optional<Map<Integer, Double>> active = samples.toOptional().map(GpuOccupancy::means);
    boolean shared = ofMps.filter(pids -> !pids.isEmpty()).isPresent();
    return all.stream()
        .map(
            process ->
                new GpuUse(
                    process,
                    ofMps.map(pids -> pids.contains(process.pid())),
                    active.filter(known -> !shared).stream()
                        .mapToDouble(known -> known.getOrDefault(process.pid(), 0.0))
                        .findAny()))
        .toList();
  }

  private static Map<Integer, Double> means(List<ProcessSample> samples) {
    Map<Integer, Double> means = new HashMap<>();
    samples.stream()
        .collect(
            Collectors.groupingBy(
                ProcessSample::pid, Collectors.averagingInt(ProcessSample::smPercent)))
        .forEach((pid, percent) -> means.put(pid, percent / PERCENT));
    return means;
  }

  void listed(String uuid, List<GpuProcess> processes, Instant at) {
    put(uuid, new Listed(processes.stream().map(GpuUse::of).toList(), at, 0));
  }

  private void put(String uuid, Listed listed) {
    if (byUuid.size() < MAX_GPUS || byUuid.containsKey(uuid)) {
      byUuid.put(uuid, listed);
    }
  }

  void unknown(String uuid) {
    byUuid.remove(uuid);
  }

  public MigBoard mig() {
    return mig;
  }

  /** The processes of a GPU; empty if unknown or older than {@code validity}. */
  public Optional<List<GpuUse>> of(String uuid, Instant now, Duration validity) {
    return Optional.ofNullable(byUuid.get(uuid))
        .filter(listed -> !listed.at().plus(validity).isBefore(now))
        .map(Listed::uses);
  }
}
