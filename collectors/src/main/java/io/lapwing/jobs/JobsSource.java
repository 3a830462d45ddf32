package io.lapwing.jobs;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.kubelet.PodResources;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * GPU ownership, merged from all sources. Has a lane of its own, as the kubelet may be slow.
 *
 * <pre>
 * lapwing_gpu_job_info{gpu="0",UUID="GPU-..",job_id="1042",user="ada",...} 1
 * lapwing_gpu_allocated{gpu="0",UUID="GPU-.."} 1
 * lapwing_jobs_sources{source="mapping"} 1
 * </pre>
 */
public final class JobsSource implements Source {

  public static final String COLLECTOR = "jobs";

  private static final String MAPPING = "mapping";
  private static final String CGROUP = "cgroup";
  private static final String POD_RESOURCES = "pod_resources";
  private static final String CHECKPOINT = "checkpoint";

  private final JobGpus gpus;
  private final JobBoard board;
  private final SlurmCgroups slurm;
  private final PodNames pods;
  private final SlurmJobs jobs;
  private final MappingDirectory mapping;
  private final ProcessAllocations processes;
  private final PodAllocations kubelet;
  private final JobLabels labels = new JobLabels();

  /**
   * Where the sources are.
   *
   * @param mapping the job mapping directory
   * @param sysfs its {@code fs/cgroup} is read
   * @param procfs of the host
   * @param root the host's {@code /}, for names of users and pods
   * @param checkpoint of the kubelet
   */
  public record Places(Path mapping, Path sysfs, Path procfs, Path root, Path checkpoint) {}

  /**
   * Creates the source of a node.
   *
   * @param board receives the jobs of each GPU
   */
  public JobsSource(
      Places places,
      JobGpus gpus,
      GpuOccupants occupants,
      PodResources kubelet,
      JobBoard board,
      InstantSource clock) {
    this.gpus = gpus;
    this.board = board;
    this.slurm = new SlurmCgroups(places.sysfs().resolve("fs/cgroup"), clock);
    this.pods = new PodNames(places.root());
    Procfs procfs = new Procfs(places.procfs());
    UserNames users = new UserNames(places.root());
    this.jobs = new SlurmJobs(procfs, users);
    this.mapping = new MappingDirectory(places.mapping(), slurm, jobs);
    this.processes = new ProcessAllocations(occupants, procfs, users, pods, jobs);
    this.kubelet = new PodAllocations(kubelet, places.checkpoint(), pods);
  }

  @Override
  public String name() {
    return COLLECTOR;
  }

  @Override
  public List<Collector> collectors() {
    return List.of(Collector.of(COLLECTOR, Cadence.MEDIUM, this::collect));
  }

  private void collect(SampleSink sink) {
    GpuTable table = new GpuTable(gpus.gpus());
    if (table.gpus().isEmpty()) {
      board.put(Map.of());
    } else {
      collect(table, sink);
    }
  }

  private void collect(GpuTable table, SampleSink sink) {
    slurm.refresh();
    pods.startRound();
    Map<String, SourceResult> results = new LinkedHashMap<>();
    // The source with the most detail goes first: rows of the others are merged into its rows.
    results.put(CGROUP, processes.read(table, sink));
    results.put(MAPPING, mapping.read(table, sink));
    SourceResult podResources = kubelet.readPodResources(table, sink);
    results.put(POD_RESOURCES, podResources);
    if (!(podResources instanceof SourceResult.Known)) {
      results.put(CHECKPOINT, kubelet.readCheckpoint(table, sink));
    }
    jobs.evictUnused();
    put(table, new JobTable(table, results.values()), results, sink);
  }

  private void put(
      GpuTable table, JobTable jobs, Map<String, SourceResult> results, SampleSink sink) {
    boolean free = knowsFreeGpus(results);
    Map<String, List<String>> ids = new LinkedHashMap<>();
    for (JobGpus.Gpu gpu : table.gpus()) {
      List<Allocation> rows = jobs.of(gpu.uuid(), sink);
      rows.forEach(row -> sink.add(JobMetrics.JOB_INFO, labels.of(gpu, row), 1));
      boolean taken = !rows.isEmpty() || processes.isOccupied(gpu.uuid());
      if (taken || free) {
        sink.add(JobMetrics.ALLOCATED, labels.of(gpu), taken ? 1 : 0);
      }
      List<String> jobIds = jobIds(rows);
      if (!jobIds.isEmpty()) {
        ids.put(gpu.uuid(), jobIds);
      }
    }
    results.forEach(
        (source, result) -> {
          if (!(result instanceof SourceResult.Absent)) {
            sink.add(
                JobMetrics.SOURCES,
                labels.ofSource(source),
                result instanceof SourceResult.Known ? 1 : 0);
          }
        });
    labels.evictUnused();
    board.put(ids);
  }

  /**
   * A GPU without an owner is free if at least one allocator exists and all existing ones were read
   * completely. Processes do not count: an allocated GPU may be idle.
   */
  private static boolean knowsFreeGpus(Map<String, SourceResult> results) {
    SourceResult checkpoint = results.getOrDefault(CHECKPOINT, SourceResult.ABSENT);
    SourceResult kubelet =
        checkpoint instanceof SourceResult.Known
            ? checkpoint
            : results.getOrDefault(POD_RESOURCES, SourceResult.ABSENT);
    SourceResult scheduler = results.getOrDefault(MAPPING, SourceResult.ABSENT);
    List<SourceResult> here = new ArrayList<>(List.of(kubelet, scheduler));
    here.removeIf(SourceResult.Absent.class::isInstance);
    return !here.isEmpty()
        && here.stream()
            .allMatch(one -> one instanceof SourceResult.Known known && known.complete());
  }

  private static List<String> jobIds(List<Allocation> rows) {
    return rows.stream()
        .filter(row -> row.place().instance().isEmpty())
        .map(row -> row.owner().jobId())
        .filter(id -> !id.isEmpty())
        .distinct()
        .toList();
  }
}
