package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The GPUs, the job and the owner of a pod. */
final class PodReading {

  /** The job of a pod, by the controllers of gangs. */
  private static final List<String> GANGS =
      List.of(
          "jobset.sigs.k8s.io/jobset-name",
          "training.kubeflow.org/job-name",
          "trainer.kubeflow.org/trainjob-name",
          "ray.io/cluster",
          "leaderworkerset.sigs.k8s.io/name",
          "volcano.sh/job-name",
          "kueue.x-k8s.io/pod-group-name",
          "scheduling.x-k8s.io/pod-group",
          "batch.kubernetes.io/job-name",
          "job-name");

  /** Of a LeaderWorkerSet: each group of pods is a gang of its own. */
  private static final String GROUP_INDEX = "leaderworkerset.sigs.k8s.io/group-index";

  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final String NVIDIA = "nvidia.com/";
  private static final String SLINKY = "nodeset.slinky.slurm.net/";
  private static final String SLURM_STATE = "SlurmNodeState";
  private static final String SLURM_DRAIN = "Drain";

  /** slurmctld ends the jobs of a node before it calls it down. */
  private static final Set<String> SLURM_IDLE = Set.of("Idle", "Down");

  /** {@code Completing} comes with {@code Idle} until the processes of the last job have ended. */
  private static final Set<String> SLURM_BUSY =
      Set.of("Undrain", "Allocated", "Mixed", "Completing");

  private PodReading() {}

  static boolean isOver(Pod pod) {
    String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
    return "Succeeded".equals(phase) || "Failed".equals(phase);
  }

  /** DaemonSets run on every node, and mirror pods belong to the kubelet. */
  static boolean isOfSystem(Pod pod) {
    return annotations(pod).containsKey(MIRROR)
        || controller(pod).filter(owner -> owner.getKind().equals("DaemonSet")).isPresent();
  }

  static boolean holdsGpus(Pod pod) {
    return resources(pod).anyMatch(all -> all.keySet().stream().anyMatch(PodReading::isGpu))
        || (pod.getSpec().getResourceClaims() != null
            && !pod.getSpec().getResourceClaims().isEmpty());
  }

  private static boolean isGpu(String resource) {
    return resource.equals(NodeReading.GPU)
        || resource.startsWith(NVIDIA + "mig-")
        || resource.startsWith(NVIDIA + "gpu.");
  }

  /** As the scheduler counts them: init containers run before the others, and sidecars beside. */
  static int gpus(Pod pod) {
    int beside =
        limits(
                Stream.concat(
                    pod.getSpec().getContainers().stream(),
                    init(pod).filter(PodReading::isSidecar)))
            .mapToInt(NodeReading::gpus)
            .sum();
    return Math.max(
        beside,
        limits(init(pod).filter(one -> !isSidecar(one)))
            .mapToInt(NodeReading::gpus)
            .max()
            .orElse(0));
  }

  private static boolean isSidecar(Container init) {
    return "Always".equals(init.getRestartPolicy());
  }

  private static Stream<Container> init(Pod pod) {
    List<Container> all = pod.getSpec().getInitContainers();
    return all == null ? Stream.empty() : all.stream();
  }

  private static Stream<Map<String, Quantity>> resources(Pod pod) {
    return limits(Stream.concat(pod.getSpec().getContainers().stream(), init(pod)));
  }

  private static Stream<Map<String, Quantity>> limits(Stream<Container> containers) {
    return containers
        .map(Container::getResources)
        .filter(all -> all != null && all.getLimits() != null)
        .map(all -> all.getLimits());
  }

  /** {@code namespace/name} of the gang that a pod is a part of. */
  static String jobOf(Pod pod) {
    return pod.getMetadata().getNamespace() + "/" + job(pod);
  }

  private static String job(Pod pod) {
    Map<String, String> labels = labels(pod);
    for (String gang : GANGS) {
      String name = labels.getOrDefault(gang, "");
      if (!name.isEmpty()) {
        return labels.containsKey(GROUP_INDEX) ? name + "-" + labels.get(GROUP_INDEX) : name;
      }
    }
    return pod.getMetadata().getName();
  }

  static boolean isSlurm(Pod pod) {
    return Stream.of(labels(pod), annotations(pod))
            .flatMap(all -> all.keySet().stream())
            .anyMatch(key -> key.startsWith(SLINKY))
        || labels(pod).getOrDefault("app.kubernetes.io/name", "").equals("slurmd");
  }

  /**
   * Whether the operator of its Slurm reports it as drained, so that no job runs there and none
   * begins; while the operator does not run, the states are outdated.
   */
  static boolean isDrainedSlurm(Pod pod) {
    Set<String> states =
        pod.getStatus() == null || pod.getStatus().getConditions() == null
            ? Set.of()
            : pod.getStatus().getConditions().stream()
                .filter(one -> "True".equals(one.getStatus()))
                .map(PodCondition::getType)
                .filter(type -> type.startsWith(SLURM_STATE))
                .map(type -> type.substring(SLURM_STATE.length()))
                .collect(Collectors.toSet());
    return isSlurm(pod)
        && states.contains(SLURM_DRAIN)
        && !Collections.disjoint(states, SLURM_IDLE)
        && Collections.disjoint(states, SLURM_BUSY);
  }

  static Optional<OwnerReference> controller(Pod pod) {
    List<OwnerReference> owners = pod.getMetadata().getOwnerReferences();
    return owners == null
        ? Optional.empty()
        : owners.stream().filter(owner -> Boolean.TRUE.equals(owner.getController())).findFirst();
  }

  static Map<String, String> labels(Pod pod) {
    Map<String, String> all = pod.getMetadata().getLabels();
    return all == null ? Map.of() : all;
  }

  private static Map<String, String> annotations(Pod pod) {
    Map<String, String> all = pod.getMetadata().getAnnotations();
    return all == null ? Map.of() : all;
  }
}
