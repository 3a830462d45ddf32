package io.lapwing.jobs;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whose each GPU is, put together from all that tell. It has a lane of its own, since a kubelet may
 * keep it waiting.
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
  private final ProcessClaims processes;
  private final PodClaims kubelet;
  private final JobLabels labels = new JobLabels();

  /**
   * Where it is told.
   *
   * @param mapping the job mapping directory
   * @param sysfs below which the cgroups are ({@code fs/cgroup})
   * @param procfs of the host
   * @param root the host's {@code /}, for names of users and pods
   * @param checkpoint the kubelet's note
   */
  public record Places(Path mapping, Path sysfs, Path procfs, Path root, Path checkpoint) {}

  /**
   * The source of a node.
   *
   * @param board where the jobs of each GPU are put
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
    this.processes = new ProcessClaims(occupants, procfs, users, pods, jobs);
    this.kubelet = new PodClaims(kubelet, places.checkpoint(), pods);
  }

  @Override
  public String name() {
    return COLLECTOR;
  }

  @Override
  public List<Collector> collectors() {
    return List.of(new Jobs());
  }

  private final class Jobs implements Collector {

    @Override
    public String name() {
      return COLLECTOR;
    }

    @Override
    public Cadence cadence() {
      return Cadence.MEDIUM;
    }

    @Override
    public void collect(SampleSink sink) {
      GpuTable table = new GpuTable(gpus.gpus());
      if (table.gpus().isEmpty()) {
        board.put(Map.of());
      } else {
        JobsSource.this.collect(table, sink);
      }
    }
  }

  private void collect(GpuTable table, SampleSink sink) {
    slurm.look();
    pods.look();
    Map<String, Answer> answers = new LinkedHashMap<>();
    // Whoever knows most of one holder comes first: the others' rows are joined to it.
    answers.put(CGROUP, processes.look(table, sink));
    answers.put(MAPPING, mapping.look(table, sink));
    Answer told = kubelet.askKubelet(table, sink);
    answers.put(POD_RESOURCES, told);
    if (!(told instanceof Answer.Told)) {
      answers.put(CHECKPOINT, kubelet.readCheckpoint(table, sink));
    }
    jobs.forgetOthers();
    put(table, new JobTable(table, answers.values()), answers, sink);
  }

  private void put(GpuTable table, JobTable jobs, Map<String, Answer> answers, SampleSink sink) {
    boolean free = knowsWhoIsFree(answers);
    Map<String, List<String>> ids = new LinkedHashMap<>();
    for (JobGpus.Gpu gpu : table.gpus()) {
      List<Claim> rows = jobs.of(gpu.uuid(), sink);
      rows.forEach(row -> sink.add(JobMetrics.JOB_INFO, labels.of(gpu, row), 1));
      boolean taken = !rows.isEmpty() || processes.isOccupied(gpu.uuid());
      if (taken || free) {
        sink.add(JobMetrics.ALLOCATED, labels.of(gpu), taken ? 1 : 0);
      }
      List<String> itsJobs = jobIds(rows);
      if (!itsJobs.isEmpty()) {
        ids.put(gpu.uuid(), itsJobs);
      }
    }
    answers.forEach(
        (source, answer) -> {
          if (!(answer instanceof Answer.NotHere)) {
            sink.add(
                JobMetrics.SOURCES, labels.ofSource(source), answer instanceof Answer.Told ? 1 : 0);
          }
        });
    labels.forgetOthers();
    board.put(ids);
  }

  /**
   * A GPU without a holder is free if somebody who gives GPUs away says so, and nobody who might
   * know better is silent or was not understood. Processes say nothing of it.
   */
  private static boolean knowsWhoIsFree(Map<String, Answer> answers) {
    Answer checkpoint = answers.getOrDefault(CHECKPOINT, Answer.NOT_HERE);
    Answer kubelet =
        checkpoint instanceof Answer.Told
            ? checkpoint
            : answers.getOrDefault(POD_RESOURCES, Answer.NOT_HERE);
    Answer scheduler = answers.getOrDefault(MAPPING, Answer.NOT_HERE);
    List<Answer> here = new ArrayList<>(List.of(kubelet, scheduler));
    here.removeIf(Answer.NotHere.class::isInstance);
    return !here.isEmpty()
        && here.stream().allMatch(one -> one instanceof Answer.Told told && told.whole());
  }

  private static List<String> jobIds(List<Claim> rows) {
    return rows.stream()
        .filter(row -> row.place().instance().isEmpty())
        .map(row -> row.holder().jobId())
        .filter(id -> !id.isEmpty())
        .distinct()
        .toList();
  }
}
