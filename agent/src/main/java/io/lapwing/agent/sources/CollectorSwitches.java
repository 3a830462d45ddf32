package io.lapwing.agent.sources;

import io.lapwing.agent.config.CollectorSwitch;
import io.lapwing.efa.EfaSource;
import io.lapwing.gpu.DriverSource;
import io.lapwing.gpu.GpuPeerSource;
import io.lapwing.gpu.GpuSubject;
import io.lapwing.gpu.GpuSubjects;
import io.lapwing.gpu.XidSource;
import io.lapwing.host.PressureSource;
import io.lapwing.inference.InferenceSource;
import io.lapwing.jobs.JobsSource;
import io.lapwing.nccl.InspectorSource;
import io.lapwing.nccl.RasSource;
import io.lapwing.node.ImdsSource;
import io.lapwing.node.NodeSource;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The collectors that can be switched on and off, in the order of the documentation. */
public final class CollectorSwitches {

  private static final List<CollectorSwitch> NODE =
      List.of(
          on(NodeSource.COLLECTOR, "node identity, and expected devices"),
          on(ImdsSource.COLLECTOR, "scheduled EC2 events of this instance"),
          on(PressureSource.HOST, "pressure stall information of the node"));

  private static final List<CollectorSwitch> GPUS = gpus();

  public static final List<CollectorSwitch> EFA =
      List.of(
          on(EfaSource.COLLECTOR, "EFA devices and their counters"),
          on(EfaSource.INFO_COLLECTOR, "identity of each EFA device, and its nearest GPUs"));

  public static final List<CollectorSwitch> LUSTRE =
      List.of(
          on("lustre", "the Lustre client: version, health, memory"),
          on("lustre_mounts", "file operations on Lustre, and its caches"),
          on("lustre_targets", "connections to Lustre's targets, grants, and request latency"),
          on("lustre_rpc_stats", "sizes and numbers of requests to Lustre's targets"),
          on(
              "lustre_limits",
              "how many requests and how much dirty data each Lustre target may have"),
          on("lustre_capacity", "how full Lustre's file systems and targets are"));

  public static final List<CollectorSwitch> LNET =
      List.of(
          on("lnet", "messages of Lustre's network, and those dropped"),
          on("lnet_interfaces", "the interfaces of Lustre's network"),
          on("lnet_peers", "the peers of Lustre's network, and their send credits"));

  /** Collectors of the workloads. Engines and NCCL are read only if an option names them. */
  static final List<CollectorSwitch> WORKLOADS =
      List.of(
          on(JobsSource.COLLECTOR, "GPU-to-job attribution"),
          on(TrainingSource.COLLECTOR, "the steps of the ranks of training loops"),
          on(InferenceSource.COLLECTOR, "inference engine discovery"),
          on(InferenceSource.ENGINES_COLLECTOR, "metrics of inference engines"),
          on(RasSource.COLLECTOR, "NCCL's RAS service"),
          on(InspectorSource.COLLECTOR, "NCCL Inspector's files"));

  private CollectorSwitches() {}

  private static CollectorSwitch on(String name, String about) {
    return new CollectorSwitch(name, true, about);
  }

  private static List<CollectorSwitch> gpus() {
    List<CollectorSwitch> gpus = new ArrayList<>();
    gpus.add(on(DriverSource.COLLECTOR, "the driver, and the number of GPUs"));
    gpus.add(on(XidSource.COLLECTOR, "XIDs"));
    gpus.add(on(GpuPeerSource.COLLECTOR, "peer-to-peer access between GPUs"));
    for (GpuSubject subject : GpuSubjects.of(name -> true, Duration.ofMinutes(1))) {
      gpus.add(on(subject.name(), subject.about()));
    }
    return List.copyOf(gpus);
  }

  public static List<CollectorSwitch> all() {
    List<CollectorSwitch> all = new ArrayList<>();
    List.of(NODE, GPUS, EFA, LUSTRE, LNET, WORKLOADS).forEach(all::addAll);
    return List.copyOf(all);
  }

  public static List<String> names(List<CollectorSwitch> collectors) {
    return collectors.stream().map(CollectorSwitch::name).toList();
  }

  /** Whether a collector needs the NVIDIA driver. */
  public static boolean isOfGpus(String collector) {
    return GPUS.stream().anyMatch(one -> one.name().equals(collector));
  }
}
