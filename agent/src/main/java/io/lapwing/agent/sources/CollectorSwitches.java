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
          on(NodeSource.COLLECTOR, "what the node is, and what it should have"),
          on(ImdsSource.COLLECTOR, "what EC2 is going to do to this instance"),
          on(PressureSource.HOST, "what programs of this node wait for"));

  private static final List<CollectorSwitch> GPUS = gpus();

  public static final List<CollectorSwitch> EFA =
      List.of(
          on(EfaSource.COLLECTOR, "EFA devices and their counters"),
          on(EfaSource.INFO_COLLECTOR, "what each EFA device is, and which GPUs are near"));

  public static final List<CollectorSwitch> LUSTRE =
      List.of(
          on("lustre", "the Lustre client: version, health, memory"),
          on("lustre_mounts", "what applications do on Lustre, and its caches"),
          on(
              "lustre_targets",
              "connections to Lustre's targets, grants, and how long they take to answer"),
          on("lustre_rpc_stats", "sizes and numbers of requests to Lustre's targets"),
          on(
              "lustre_limits",
              "how many requests and how much dirty data each Lustre target may have"),
          on("lustre_capacity", "how full Lustre's file systems and targets are"));

  public static final List<CollectorSwitch> LNET =
      List.of(
          on("lnet", "messages of Lustre's network, and those dropped"),
          on("lnet_interfaces", "the interfaces of Lustre's network"),
          on("lnet_peers", "the peers of Lustre's network, and who waits for credits"));

  /** Collectors of the workloads. Engines and NCCL are read only if an option names them. */
  static final List<CollectorSwitch> WORKLOADS =
      List.of(
          on(JobsSource.COLLECTOR, "whose each GPU is"),
          on(TrainingSource.COLLECTOR, "the steps of the ranks of training loops"),
          on(InferenceSource.COLLECTOR, "which inference engines there are"),
          on(InferenceSource.ENGINES_COLLECTOR, "the pages of inference engines"),
          on(RasSource.COLLECTOR, "NCCL's RAS service"),
          on(InspectorSource.COLLECTOR, "NCCL Inspector's files"));

  private CollectorSwitches() {}

  private static CollectorSwitch on(String name, String about) {
    return new CollectorSwitch(name, true, about);
  }

  private static List<CollectorSwitch> gpus() {
    List<CollectorSwitch> gpus = new ArrayList<>();
    gpus.add(on(DriverSource.COLLECTOR, "the driver, and how many GPUs"));
    gpus.add(on(XidSource.COLLECTOR, "XIDs"));
    gpus.add(on(GpuPeerSource.COLLECTOR, "which GPUs reach each other"));
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
