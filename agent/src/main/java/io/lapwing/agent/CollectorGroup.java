package io.lapwing.agent;

import io.lapwing.agent.config.CollectorSwitch;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.HealthMetrics;
import io.lapwing.collect.CollectMetrics;
import io.lapwing.deep.DeepCheckSource;
import io.lapwing.deep.DeepMetrics;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.gpu.DcgmHealthSource;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.DcgmPolicySource;
import io.lapwing.gpu.DcgmSource;
import io.lapwing.gpu.DriverSource;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.gpu.GpuPeerSource;
import io.lapwing.gpu.GpuSubjects;
import io.lapwing.gpu.HostEngineMetrics;
import io.lapwing.gpu.MigMetrics;
import io.lapwing.gpu.VgpuMetrics;
import io.lapwing.gpu.XidSource;
import io.lapwing.host.EdacSource;
import io.lapwing.host.EnaSource;
import io.lapwing.host.FilesystemSource;
import io.lapwing.host.HostMetrics;
import io.lapwing.host.PanicSource;
import io.lapwing.host.PressureSource;
import io.lapwing.host.UnitSource;
import io.lapwing.inference.InferenceMetrics;
import io.lapwing.inference.InferenceSource;
import io.lapwing.jobs.JobMetrics;
import io.lapwing.jobs.JobNetworkMetrics;
import io.lapwing.jobs.JobNetworkSource;
import io.lapwing.jobs.JobsSource;
import io.lapwing.lnet.LnetMetrics;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.MetricCatalogue;
import io.lapwing.nccl.InspectorMetrics;
import io.lapwing.nccl.InspectorSource;
import io.lapwing.nccl.NcclMetrics;
import io.lapwing.nccl.RasSource;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.nccl.ring.RingSource;
import io.lapwing.node.ImdsSource;
import io.lapwing.node.NodeMetrics;
import io.lapwing.node.NodeSource;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The metrics and collectors by subject. Flags, the metric catalogue and {@code docs/metrics.md}
 * derive from this list, in this order.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are copies
public enum CollectorGroup {
  NODE(
      List.of(NodeMetrics.class),
      on(NodeSource.COLLECTOR, "node identity, and expected devices"),
      on(ImdsSource.COLLECTOR, "scheduled EC2 events of this instance")),
  GPU(
      List.of(
          DcgmMetrics.class,
          GpuMetrics.class,
          MigMetrics.class,
          HostEngineMetrics.class,
          VgpuMetrics.class),
      gpus()),
  EFA(
      List.of(EfaMetrics.class),
      on(EfaSource.COLLECTOR, "EFA devices and their counters"),
      on(EfaSource.INFO_COLLECTOR, "identity of each EFA device, and its nearest GPUs")),
  LUSTRE(
      List.of(LustreMetrics.class),
      on("lustre", "the Lustre client: version, health, memory"),
      on("lustre_mounts", "file operations on Lustre, and its caches"),
      on("lustre_targets", "connections to Lustre's targets, grants, and request latency"),
      on("lustre_rpc_stats", "sizes and numbers of requests to Lustre's targets"),
      on("lustre_limits", "how many requests and how much dirty data each Lustre target may have"),
      on("lustre_capacity", "how full Lustre's file systems and targets are")),
  LNET(
      List.of(LnetMetrics.class),
      on("lnet", "messages of Lustre's network, and those dropped"),
      on("lnet_interfaces", "the interfaces of Lustre's network"),
      on("lnet_peers", "the peers of Lustre's network, and their send credits")),
  HOST(
      List.of(HostMetrics.class),
      on(PressureSource.HOST, "pressure stall information of the node"),
      on(EdacSource.MEMORY, "memory errors of the node's DIMMs (EDAC)"),
      on(FilesystemSource.FILESYSTEMS, "file systems on local disks: read-only, full"),
      on(
          EnaSource.ENA,
          "traffic of the instance's ordinary network (ENA), and allowances that were exceeded"),
      on(PanicSource.PANICS, "crashes of the kernel that firmware recorded (pstore)"),
      on(UnitSource.UNITS, "systemd units of --node.units"),
      on(
          UnitSource.NVIDIA_SERVICES,
          "installed services of NVIDIA's: Fabric Manager, IMEX, persistence daemon, DCGM")),
  JOBS(
      List.of(JobMetrics.class, JobNetworkMetrics.class),
      on(JobsSource.COLLECTOR, "GPU-to-job attribution"),
      on(JobNetworkSource.KIND, "jobs whose NCCL uses TCP on a node with EFA")),
  TRAINING(
      List.of(TrainingMetrics.class),
      on(TrainingSource.COLLECTOR, "the steps of the ranks of training loops")),
  /** Read only where {@code --inference.scrape} names engines. */
  INFERENCE(
      List.of(InferenceMetrics.class),
      on(InferenceSource.COLLECTOR, "inference engine discovery"),
      on(InferenceSource.ENGINES_COLLECTOR, "metrics of inference engines")),
  /**
   * RAS and Inspector are read only where {@code --nccl.ras} and {@code --nccl.inspector-dir} are
   * set.
   */
  NCCL(
      List.of(NcclMetrics.class, InspectorMetrics.class, RingMetrics.class),
      on(RasSource.COLLECTOR, "NCCL's RAS service"),
      on(InspectorSource.COLLECTOR, "NCCL Inspector's files"),
      on(
          RingSource.COLLECTOR,
          "collectives of the ranks on this node, from Lapwing's NCCL plugin")),
  /** Read only after {@code lapwing check --deep} was run. */
  DEEP_CHECK(
      List.of(DeepMetrics.class),
      on(DeepCheckSource.DEEP_CHECK, "results of the last lapwing check --deep")),
  HEALTH(List.of(HealthMetrics.class)),
  AGENT(List.of(CollectMetrics.class));

  private final List<Class<?>> metrics;
  private final List<CollectorSwitch> switches;

  CollectorGroup(List<Class<?>> metrics, CollectorSwitch... switches) {
    this.metrics = List.copyOf(metrics);
    this.switches = List.of(switches);
  }

  private static CollectorSwitch on(String name, String help) {
    return new CollectorSwitch(name, true, help);
  }

  private static CollectorSwitch[] gpus() {
    return Stream.concat(
            Stream.of(
                on(DriverSource.COLLECTOR, "the driver, and the number of GPUs"),
                on(XidSource.COLLECTOR, "XIDs"),
                on(GpuPeerSource.COLLECTOR, "peer-to-peer access between GPUs"),
                on(
                    DcgmSource.COLLECTOR,
                    "activity of GPUs without GPM by DCGM (--dcgm.engine), for gpu_profiling"),
                on(DcgmSource.SWITCHES, "errors of NVSwitches by DCGM (--dcgm.engine)"),
                on(
                    DcgmSource.CPUS,
                    "activity, temperature and power of Grace CPUs by DCGM (--dcgm.engine)"),
                on(
                    DcgmSource.LINKS,
                    "temperature, power and links of NVSwitches by DCGM (--dcgm.engine)"),
                on(
                    DcgmHealthSource.COLLECTOR,
                    "DCGM's health watches (--dcgm.engine), for gpu_recovery"),
                on(
                    DcgmHealthSource.IMEX,
                    "the IMEX domain and daemon by DCGM, beside its health watches"),
                on(
                    DcgmPolicySource.COLLECTOR,
                    "violations of policies that are set in DCGM (--dcgm.engine)")),
            GpuSubjects.of(name -> true, Duration.ofMinutes(1)).stream()
                .map(subject -> on(subject.name(), subject.about())))
        .toArray(CollectorSwitch[]::new);
  }

  /** The classes that declare the metrics of this group. */
  public List<Class<?>> metrics() {
    return metrics;
  }

  /** Every metric family except those of the JVM, the process and the web server. */
  public static MetricCatalogue catalogue() {
    return MetricCatalogue.of(
        Arrays.stream(values()).flatMap(group -> group.metrics.stream()).toArray(Class[]::new));
  }

  /** Every collector that has a flag {@code --collector.NAME}. */
  public static List<CollectorSwitch> collectors() {
    return Arrays.stream(values()).flatMap(group -> group.switches.stream()).toList();
  }

  public Predicate<Settings> anyEnabled() {
    return settings ->
        switches.stream().map(CollectorSwitch::name).anyMatch(settings.collectors()::enabled);
  }
}
