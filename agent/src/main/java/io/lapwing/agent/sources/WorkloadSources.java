package io.lapwing.agent.sources;

import io.lapwing.agent.config.InferenceTargets;
import io.lapwing.agent.config.Options;
import io.lapwing.agent.config.Settings;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.common.log.Log;
import io.lapwing.inference.InferenceSource;
import io.lapwing.inference.PortOwners;
import io.lapwing.jobs.JobNetworkSource;
import io.lapwing.jobs.JobsSource;
import io.lapwing.jobs.JobsSource.JobBoard;
import io.lapwing.jobs.NodeTraffic;
import io.lapwing.jobs.UserAccounts;
import io.lapwing.kubelet.KubeletSocket;
import io.lapwing.linux.NodeAddresses;
import io.lapwing.linux.ProcFs;
import io.lapwing.nccl.InspectorSource;
import io.lapwing.nccl.RasEndpoint;
import io.lapwing.nccl.RasSource;
import io.lapwing.nccl.ring.RingProcesses;
import io.lapwing.nccl.ring.RingSource;
import io.lapwing.node.InstanceType;
import io.lapwing.node.NodeSource;
import io.lapwing.training.PeakFlops;
import io.lapwing.training.ProcTrainingProcesses;
import io.lapwing.training.TrainingSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sources of workloads; the {@code board} has the jobs of each GPU, for labels, and {@code
 * traffic} the node's bytes over EFA and ENA.
 */
public record WorkloadSources(
    GpuDirectory gpus, NodeSource node, JobBoard board, NodeTraffic traffic, PollClock clock) {

  private static final Log LOG = Log.of(WorkloadSources.class);
  private static final double TERA = 1e12;

  /** All configured sources; each is recreated when the place that it reads changes. */
  public List<SourceDefinition> roots() {
    return List.of(
        new SourceDefinition(
            Set.of(
                Options.JOB_MAPPING_DIR.name(),
                Options.POD_RESOURCES.name(),
                Options.KUBELET_CHECKPOINT.name()),
            SourceDefinition.any(JobsSource.COLLECTOR),
            settings -> {
              Settings.Jobs jobs = settings.workload().jobs();
              return List.of(jobs.mapping(), jobs.podResources(), jobs.checkpoint());
            },
            (settings, found) -> jobs(settings)),
        SourceDefinition.of(
            SourceDefinition.any(JobNetworkSource.KIND),
            (settings, found) ->
                new JobNetworkSource(
                    proc(settings), settings.paths().rootfs(), gpus, traffic, clock)),
        new SourceDefinition(
            Set.of(Options.STEPS_DIR.name()),
            SourceDefinition.any(TrainingSource.COLLECTOR),
            settings -> List.of(settings.workload().steps()),
            this::training),
        new SourceDefinition(
            Set.of(Options.STEPS_DIR.name()),
            SourceDefinition.any(RingSource.COLLECTOR),
            settings -> List.of(settings.workload().steps()),
            (settings, found) -> rings(settings)),
        new SourceDefinition(
            Set.of(Options.INFERENCE_SCRAPE.name()),
            settings -> settings.workload().inference().any(),
            settings -> List.of(settings.workload().inference()),
            this::inference),
        new SourceDefinition(
            Set.of(Options.NCCL_RAS.name()),
            settings -> settings.workload().ras().isPresent(),
            settings -> List.of(settings.workload().ras()),
            (settings, found) -> ras(settings)),
        new SourceDefinition(
            Set.of(Options.NCCL_INSPECTOR_DIR.name()),
            settings -> settings.workload().inspector().isPresent(),
            settings -> List.of(settings.workload().inspector()),
            (settings, found) -> inspector(settings)));
  }

  private Source inference(Settings settings, SourceSet found) {
    InferenceTargets targets = settings.workload().inference();
    ProcFs proc = proc(settings);
    PortOwners owners = PortOwners.onGpus(proc, () -> usersOfGpus(proc));
    return new InferenceSource(targets.auto(), targets.pages(), owners, found);
  }

  private Set<Long> usersOfGpus(ProcFs proc) {
    return gpus.gpus().stream()
        .flatMap(gpu -> gpus.occupants(gpu.uuid()).stream())
        .flatMap(List::stream)
        .filter(one -> one.pid() > 0)
        .flatMap(one -> proc.uid(one.pid()).toOptional().stream())
        .collect(Collectors.toSet());
  }

  private static Source ras(Settings settings) {
    RasEndpoint ras = settings.workload().ras().orElseThrow();
    return new RasSource(ras, proc(settings), NodeAddresses.ofInterfaces());
  }

  private Source inspector(Settings settings) {
    return new InspectorSource(settings.workload().inspector().orElseThrow(), gpus::index, clock);
  }

  private Source rings(Settings settings) {
    return new RingSource(
        settings.workload().steps(),
        RingProcesses.of(proc(settings), new UserAccounts(settings.paths().rootfs())),
        new RingSource.Gpus() {
          @Override
          public boolean isUsedBy(long pid) {
            return gpus.isUsedBy(pid);
          }

          @Override
          public int count() {
            return gpus.count();
          }

          @Override
          public OptionalInt byPid(long pid) {
            return gpus.byPid(pid)
                .map(gpu -> OptionalInt.of(gpu.index()))
                .orElse(OptionalInt.empty());
          }

          @Override
          public OptionalInt byUuid(String uuid) {
            return gpus.index(uuid);
          }
        },
        clock);
  }

  private static ProcFs proc(Settings settings) {
    return new ProcFs(settings.paths().procfs());
  }

  private Source jobs(Settings settings) {
    Settings.Jobs jobs = settings.workload().jobs();
    Settings.Paths paths = settings.paths();
    return new JobsSource(
        new JobsSource.Places(
            jobs.mapping(), paths.sysfs(), paths.procfs(), paths.rootfs(), jobs.checkpoint()),
        gpus,
        new KubeletSocket(jobs.podResources(), KubeletSocket.TIMEOUT),
        board,
        clock);
  }

  private Source training(Settings settings, SourceSet found) {
    return new TrainingSource(
        settings.workload().steps(),
        found,
        new ProcTrainingProcesses(proc(settings), settings.paths().sysfs().resolve("fs/cgroup")),
        gpus,
        new UserAccounts(settings.paths().rootfs()),
        peaks(),
        clock,
        LOG::warn);
  }

  /** Resolved on every call: the instance metadata service may report the node's identity later. */
  private PeakFlops peaks() {
    return precision -> teraflops(node.expectation().type(), precision);
  }

  private static OptionalDouble teraflops(
      Optional<InstanceType> type, PeakFlops.Precision precision) {
    OptionalInt tera =
        type.map(
                known ->
                    precision == PeakFlops.Precision.FP8
                        ? known.fp8Teraflops()
                        : known.bf16Teraflops())
            .orElse(OptionalInt.empty());
    return tera.isPresent() ? OptionalDouble.of(tera.getAsInt() * TERA) : OptionalDouble.empty();
  }
}
