package io.lapwing.jobs;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.SampleSink;
import io.lapwing.jobs.GpuTable.GpuPlace;
import io.lapwing.jobs.SharedPlaces.Holder;
import io.lapwing.jobs.SourceResult.Allocation;
import io.lapwing.kubelet.PodResources;
import io.lapwing.kubelet.PodResources.Claim;
import io.lapwing.metric.LabelText;
import io.lapwing.metric.Labels;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * GPU ownership, merged from all sources. Has a thread of its own, as the kubelet may be slow.
 *
 * <pre>
 * lapwing_gpu_job_info{gpu="0",UUID="GPU-..",job_id="1042",user="ada",...} 1
 * lapwing_gpu_allocated{gpu="0",UUID="GPU-.."} 1
 * lapwing_gpu_instance_allocated{gpu="0",UUID="GPU-..",GPU_I_ID="7"} 1     of MIG
 * lapwing_jobs_sources{source="mapping"} 1
 * </pre>
 *
 * <p>{@link SharedPlaces} has those of GPUs with several holders.
 */
public final class JobsSource extends FixedSource {

  public static final String COLLECTOR = "jobs";

  private static final String MAPPING = "mapping";
  private static final String CGROUP = "cgroup";
  private static final String POD_RESOURCES = "pod_resources";
  private static final String CHECKPOINT = "checkpoint";

  /** Jobs of a GPU on the board, where each copies the GPU's series. */
  static final int MAX_JOBS = 8;

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

  /** The source of a node; the board receives the jobs of each GPU. */
  public JobsSource(
      Places places, JobGpus gpus, PodResources kubelet, JobBoard board, InstantSource clock) {
    super(COLLECTOR, SERVICES);
    add(COLLECTOR, Cadence.MEDIUM, this::collect);
    this.gpus = gpus;
    this.board = board;
    this.slurm = new SlurmCgroups(places.sysfs().resolve("fs/cgroup"), clock);
    this.pods = new PodNames(places.root());
    ProcessFiles procfs = new ProcessFiles(places.procfs());
    UserNames users = new UserNames(places.root());
    this.jobs = new SlurmJobs(procfs, users);
    this.mapping = new MappingDirectory(places.mapping(), slurm, jobs);
    this.processes = new ProcessAllocations(gpus, procfs, users, pods, jobs);
    this.kubelet = new PodAllocations(kubelet, places.checkpoint(), pods);
  }

  @Override
  public PageShare share() {
    return PageShare.JOBS;
  }

  /** Labels of the jobs that were there last would stay on other series. */
  @Override
  public void close() {
    kubelet.close();
    board.clear(this);
  }

  private void collect(SampleSink sink) {
    GpuTable table = new GpuTable(gpus.gpus());
    if (table.gpus().isEmpty()) {
      board.put(this, Map.of(), Map.of());
    } else {
      collect(table, sink);
    }
  }

  private void collect(GpuTable table, SampleSink sink) {
    slurm.refresh();
    pods.startRound();
    Map<String, SourceResult> results = new LinkedHashMap<>();
    // The source with the most detail goes first: rows of the others are merged into its rows.
    ProcessAllocations.Found found = processes.read(table, sink);
    results.put(CGROUP, found.result());
    results.put(MAPPING, mapping.read(table, sink));
    SourceResult podResources = kubelet.readPodResources(table, sink);
    results.put(POD_RESOURCES, podResources);
    if (!(podResources instanceof SourceResult.Known)) {
      results.put(CHECKPOINT, kubelet.readCheckpoint(table, sink));
    }
    jobs.evictUnused();
    put(table, new JobTable(table, results.values()), found.uses(), results, sink);
  }

  private void put(
      GpuTable table,
      JobTable jobs,
      List<ProcessAllocations.Use> uses,
      Map<String, SourceResult> results,
      SampleSink sink) {
    boolean free = knowsFreeGpus(results);
    Map<String, List<Labels>> ofJobs = new HashMap<>();
    Map<String, List<Labels>> ofPods = new HashMap<>();
    for (JobGpus.Gpu gpu : table.gpus()) {
      List<Allocation> rows = jobs.of(gpu.uuid(), sink);
      rows.forEach(row -> sink.add(JobMetrics.JOB_INFO, labels.of(gpu, row), 1));
      boolean taken = !rows.isEmpty() || processes.isOccupied(gpu.uuid());
      if (taken || free) {
        sink.add(JobMetrics.ALLOCATED, labels.of(gpu), taken ? 1 : 0);
      }
      putInstances(gpu, rows, free, sink);
      new SharedPlaces(gpu, rows, uses.stream().filter(use -> use.isOn(gpu)).toList())
          .put(labels, sink);
      ofJobs.putAll(holders(gpu.uuid(), rows, JobsSource::jobLabels, MAX_JOBS));
      ofPods.putAll(
          holders(gpu.uuid(), named(rows), row -> podLabels(gpu, row), Integer.MAX_VALUE));
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
    board.put(this, ofJobs, ofPods);
  }

  private void putInstances(JobGpus.Gpu gpu, List<Allocation> rows, boolean free, SampleSink sink) {
    for (int instance : new TreeSet<>(gpu.slices().values())) {
      GpuPlace place = new GpuPlace(gpu.uuid(), String.valueOf(instance));
      boolean taken =
          rows.stream().anyMatch(row -> row.place().mayEqual(place))
              || processes.isOccupied(gpu.uuid(), instance);
      if (taken || free) {
        sink.add(JobMetrics.INSTANCE_ALLOCATED, labels.of(gpu, instance), taken ? 1 : 0);
      }
    }
  }

  /**
   * Whether a GPU without an owner is free: an allocator exists, and all that exist were read
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

  /** By {@link JobBoard#place}; at most so many of each. */
  private static Map<String, List<Labels>> holders(
      String uuid, List<Allocation> rows, Function<Allocation, Optional<Labels>> labels, int most) {
    Map<String, List<Labels>> holders = new HashMap<>();
    for (Allocation row : rows) {
      Optional<Labels> holder = labels.apply(row);
      if (holder.isPresent()) {
        List<Labels> known =
            holders.computeIfAbsent(
                JobBoard.place(uuid, row.place().instance()), unseen -> new ArrayList<>());
        if (!known.contains(holder.get()) && known.size() < most) {
          known.add(holder.get());
        }
      }
    }
    return holders;
  }

  /** Without pods that are known by their uid alone, beside those of which the name is known. */
  private static List<Allocation> named(List<Allocation> rows) {
    return rows.stream().anyMatch(row -> !row.owner().namespace().isEmpty())
        ? rows.stream().filter(row -> !Holder.of(row.owner()).isUnnamed()).toList()
        : rows;
  }

  private static Optional<Labels> jobLabels(Allocation row) {
    String job = row.owner().jobId();
    return job.isEmpty() ? Optional.empty() : Optional.of(Labels.of("hpc_job", job));
  }

  /** In the order of dcgm-exporter. */
  private static Optional<Labels> podLabels(JobGpus.Gpu gpu, Allocation row) {
    GpuOwner owner = row.owner();
    if (owner.pod().isEmpty()) {
      return Optional.empty();
    }
    Labels pod =
        Labels.of(
            "container", owner.container(), "namespace", owner.namespace(), "pod", owner.pod());
    Claim claim = owner.claim();
    return Optional.of(
        claim.equals(Claim.NONE)
            ? pod
            : migLabels(
                gpu,
                row.place().instance(),
                pod.with("dra_claim_name", claim.name())
                    .with("dra_claim_namespace", claim.namespace())
                    .with("dra_driver_name", claim.driver())
                    .with("dra_pool_name", claim.pool())
                    .with("dra_device_name", claim.device())));
  }

  /** With the MIG device of a claim, as NVML has it: dcgm-exporter asks the API server. */
  private static Labels migLabels(JobGpus.Gpu gpu, String instance, Labels claimed) {
    Labels labels = claimed;
    for (JobGpus.Instance one : gpu.instances()) {
      if (String.valueOf(one.id()).equals(instance) && !one.profile().isEmpty()) {
        labels = labels.with("dra_mig_profile", one.profile());
      }
    }
    List<String> devices =
        gpu.slices().entrySet().stream()
            .filter(slice -> String.valueOf(slice.getValue()).equals(instance))
            .map(Map.Entry::getKey)
            .toList();
    // An instance that is divided into compute instances has a device for each.
    return devices.size() == 1 ? labels.with("dra_mig_device_uuid", devices.get(0)) : labels;
  }

  /** Label sets, created once for each series. */
  static final class JobLabels {

    private final Map<Object, Labels> known = new HashMap<>();
    private final Set<Object> used = new HashSet<>();

    private record Row(int gpu, Allocation allocation) {}

    private record Instance(JobGpus.Gpu gpu, int id) {}

    private record Shared(JobGpus.Gpu gpu, String instance, String sharing) {}

    private record Held(JobGpus.Gpu gpu, String instance, Holder holder) {}

    Labels of(JobGpus.Gpu gpu, Allocation allocation) {
      return kept(new Row(gpu.index(), allocation), () -> row(gpu, allocation));
    }

    Labels of(JobGpus.Gpu gpu) {
      return kept(gpu, () -> plain(gpu));
    }

    Labels of(JobGpus.Gpu gpu, int instance) {
      return kept(
          new Instance(gpu, instance), () -> plain(gpu).with("GPU_I_ID", String.valueOf(instance)));
    }

    Labels ofShared(JobGpus.Gpu gpu, String instance, String sharing) {
      return kept(
          new Shared(gpu, instance, sharing),
          () -> plain(gpu).with(JobMetrics.INSTANCE, instance).with("sharing", sharing));
    }

    Labels of(JobGpus.Gpu gpu, String instance, Holder holder) {
      return kept(
          new Held(gpu, instance, holder),
          () -> holder.on(plain(gpu).with(JobMetrics.INSTANCE, instance)));
    }

    Labels ofSource(String name) {
      return kept(name, () -> Labels.of("source", name));
    }

    /** Drops those not used since the last call. */
    void evictUnused() {
      known.keySet().retainAll(used);
      used.clear();
    }

    private Labels kept(Object key, Supplier<Labels> labels) {
      used.add(key);
      return known.computeIfAbsent(key, unseen -> labels.get());
    }

    private static Labels plain(JobGpus.Gpu gpu) {
      return Labels.of(
          JobMetrics.GPU,
          String.valueOf(gpu.index()),
          JobMetrics.UUID,
          LabelText.clean(gpu.uuid()));
    }

    private static Labels row(JobGpus.Gpu gpu, Allocation allocation) {
      GpuOwner owner = allocation.owner();
      return plain(gpu)
          .with("job_id", owner.jobId())
          .with("job_name", owner.jobName())
          .with("user", owner.user())
          .with("account", owner.account())
          .with("partition", owner.partition())
          .with("pod", owner.pod())
          .with("namespace", owner.namespace())
          .with("container", owner.container())
          .with("GPU_I_ID", allocation.place().instance());
    }
  }

  /**
   * Jobs and pods of each GPU, as labels for other metrics. Thread-safe; the same objects while
   * nothing changes, so that readers can compare by identity.
   */
  public static final class JobBoard {

    private volatile Map<String, List<Labels>> jobs = Map.of();
    private volatile Map<String, List<Labels>> pods = Map.of();
    private @Nullable JobsSource writer;

    /** The key of a GPU, or of a MIG instance on it; the id is empty for the whole GPU. */
    public static String place(String uuid, String instance) {
      return instance.isEmpty() ? uuid : uuid + "/" + instance;
    }

    /** dcgm-exporter's label of the jobs that own a GPU or MIG instance, by its place. */
    public Map<String, List<Labels>> jobs() {
      return jobs;
    }

    /** dcgm-exporter's labels of the containers that own a GPU or MIG instance, by its place. */
    public Map<String, List<Labels>> pods() {
      return pods;
    }

    synchronized void put(
        JobsSource from, Map<String, List<Labels>> ofJobs, Map<String, List<Labels>> ofPods) {
      writer = from;
      if (!ofJobs.equals(jobs)) {
        jobs = Map.copyOf(ofJobs);
      }
      if (!ofPods.equals(pods)) {
        pods = Map.copyOf(ofPods);
      }
    }

    /** After a reload the source of the new configuration may have written before this one ends. */
    synchronized void clear(JobsSource from) {
      if (from.equals(writer)) {
        put(from, Map.of(), Map.of());
      }
    }
  }
}
