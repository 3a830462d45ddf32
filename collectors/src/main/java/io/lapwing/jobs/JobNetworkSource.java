package io.lapwing.jobs;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.jobs.JobGpus.Occupant;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.ProcessCgroup;
import io.lapwing.linux.ProcessEnvironment;
import io.lapwing.metric.LabelText;
import io.lapwing.metric.Labels;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which network NCCL uses in each process on a GPU, as a source. It reads files of processes once a
 * minute, and only while ENA is busy and EFA idle; a process that can use EFA is read once.
 *
 * <pre>
 * lapwing_job_network_info{gpu="0",UUID="GPU-..",pid="4711",job_id="1042",...,network="tcp",missing="libnccl-net",...} 1
 * </pre>
 */
public final class JobNetworkSource extends FixedSource {

  /** The kind of this part of the node, and the name of the source and of its collector. */
  public static final String KIND = "job_network";

  private static final int MAX_PROCESSES = 64;
  private static final Access NOT_THERE =
      new Access.NothingHere("the node has not both EFA and ENA devices");

  private static final ProcessEnvironment VARIABLES = new ProcessEnvironment(variables());

  private final ProcFs proc;
  private final JobGpus gpus;
  private final NodeTraffic traffic;
  private final NodeTraffic.Suspicion suspicion = new NodeTraffic.Suspicion();
  private final InstantSource clock;
  private final PodNames pods;
  private final UserNames users;
  private Optional<NodeTraffic.Totals> totals = Optional.empty();
  private Map<Long, Known> known = Map.of();

  /** The result for a process; its start distinguishes it from a later one with the pid. */
  private record Known(long start, ProcessNetwork network, JobNodes nodes, int reads) {

    /** Libraries stay loaded; NCCL's log may have more information a moment later. */
    private boolean isFinal() {
      return network.network() == ProcessNetwork.Network.EFA && reads > 1;
    }
  }

  /** The host's processes; names of users and pods are below {@code root}. */
  public JobNetworkSource(
      ProcFs proc, Path root, JobGpus gpus, NodeTraffic traffic, InstantSource clock) {
    super(KIND, SERVICES, Part.whole(KIND));
    add(KIND, Cadence.SLOW, this::collect);
    this.proc = proc;
    this.gpus = gpus;
    this.traffic = traffic;
    this.clock = clock;
    this.pods = new PodNames(root);
    this.users = new UserNames(root);
  }

  private static Set<String> variables() {
    Set<String> names = new TreeSet<>(ProcessNetwork.variables());
    names.addAll(JobNodes.variables());
    return names;
  }

  @Override
  public PageShare share() {
    return PageShare.JOBS;
  }

  @Override
  public Access begin(List<Collector> due) {
    totals = traffic.totals();
    return totals.isPresent() ? Access.READY : NOT_THERE;
  }

  private void collect(SampleSink sink) {
    if (totals.isEmpty() || !suspicion.isRaised(totals.get(), clock.instant())) {
      known = Map.of();
      return;
    }
    pods.startRound();
    Map<Long, Known> seen = new HashMap<>();
    processes().forEach((pid, gpu) -> collect(pid, gpu, seen, sink));
    known = seen;
  }

  /** The first GPU of each process. */
  private Map<Long, JobGpus.Gpu> processes() {
    Map<Long, JobGpus.Gpu> found = new LinkedHashMap<>();
    gpus.gpus().stream()
        .sorted(Comparator.comparingInt(JobGpus.Gpu::index))
        .forEach(
            gpu -> {
              for (Occupant one : gpus.occupants(gpu.uuid()).orElse(List.of())) {
                if (one.pid() > 0 && found.size() < MAX_PROCESSES) {
                  found.putIfAbsent(one.pid(), gpu);
                }
              }
            });
    return found;
  }

  private void collect(long pid, JobGpus.Gpu gpu, Map<Long, Known> seen, SampleSink sink) {
    Optional<Long> start = proc.startTicks(pid).toOptional();
    if (start.isEmpty()) {
      return; // It has ended, or is in another PID namespace.
    }
    Optional<Known> before =
        Optional.ofNullable(known.get(pid)).filter(one -> one.start() == start.get());
    Known now = before.filter(Known::isFinal).orElseGet(() -> read(pid, start.get(), before, sink));
    seen.put(pid, now);
    sink.add(JobNetworkMetrics.INFO, labels(pid, gpu, now), 1);
  }

  private Known read(long pid, long start, Optional<Known> before, SampleSink sink) {
    Reading<Set<String>> mapped = proc.mapped(pid, ProcessNetwork::isLibrary);
    if (before.isEmpty()) {
      sink.countFailure(mapped);
    }
    Map<String, String> environment =
        proc.environ(pid).toOptional().map(VARIABLES::parse).orElse(Map.of());
    NcclDebugFile log = NcclDebugFile.of(proc, pid, environment);
    return new Known(
        start,
        ProcessNetwork.of(mapped, environment, log),
        JobNodes.of(environment, gpus.gpus().size()),
        before.map(Known::reads).orElse(0) + 1);
  }

  private Labels labels(long pid, JobGpus.Gpu gpu, Known one) {
    Optional<ProcessCgroup> cgroup = proc.cgroup(pid).toOptional();
    Optional<PodNames.PodName> pod = cgroup.flatMap(ProcessCgroup::podUid).flatMap(pods::of);
    String podUid = cgroup.flatMap(ProcessCgroup::podUid).orElse("");
    ProcessNetwork network = one.network();
    return new Labels(
        JobNetworkMetrics.INFO.labels(),
        List.of(
            Integer.toString(gpu.index()),
            LabelText.clean(gpu.uuid()),
            Long.toString(pid),
            cgroup.flatMap(ProcessCgroup::jobId).orElse(""),
            proc.uid(pid).toOptional().map(String::valueOf).map(users::of).orElse(""),
            LabelText.clean(pod.map(PodNames.PodName::namespace).orElse("")),
            LabelText.clean(pod.map(PodNames.PodName::pod).orElse(podUid)),
            one.nodes().text(),
            network.network().text(),
            network.missing(),
            network.provider(),
            network.settings()));
  }
}
