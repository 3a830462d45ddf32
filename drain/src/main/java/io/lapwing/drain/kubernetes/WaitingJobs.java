package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.lapwing.common.text.PlainText;
import io.lapwing.drain.cluster.QueuedJob;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The jobs with GPUs that wait: pods that have no node yet, a gang together, and workloads that
 * Kueue has not admitted, whose pods need not exist yet.
 *
 * @param groups the node groups of the cluster
 */
record WaitingJobs(KubernetesClient client, Set<String> groups) {

  static final String QUEUE = "kueue.x-k8s.io/queue-name";
  private static final int LONGEST = 300;

  /**
   * All of them.
   *
   * @throws KubernetesClientException if the API server does not answer, or not in full
   */
  List<QueuedJob> read() {
    Map<String, QueuedJob> jobs = new LinkedHashMap<>();
    KueueWorkloads kueue = new KueueWorkloads(client, this);
    kueue.read().forEach(job -> jobs.put(job.id(), job));
    Set<String> inKueue = Set.copyOf(jobs.keySet());
    Pages.each(
        client.pods().inAnyNamespace(),
        "status.phase=Pending",
        pod -> {
          if (waits(pod) && !inKueue.contains(PodReading.jobOf(pod))) {
            jobs.merge(PodReading.jobOf(pod), of(pod), WaitingJobs::together);
          }
        });
    return List.copyOf(jobs.values());
  }

  /** Nodes of a Slurm cluster in Kubernetes are no jobs. */
  private static boolean waits(Pod pod) {
    return pod.getSpec().getNodeName() == null
        && pod.getMetadata().getDeletionTimestamp() == null
        && PodReading.holdsGpus(pod)
        && !PodReading.isOfSystem(pod)
        && !PodReading.isSlurm(pod);
  }

  private QueuedJob of(Pod pod) {
    return job(
        PodReading.jobOf(pod),
        PodReading.labels(pod).getOrDefault(QUEUE, pod.getMetadata().getNamespace()),
        groupsOf(pod),
        reason(pod),
        pod.getMetadata().getCreationTimestamp(),
        PodReading.gpus(pod));
  }

  static QueuedJob job(
      String id, String queue, Set<String> groups, String reason, String created, int gpus) {
    Optional<Instant> since = Optional.ofNullable(created).map(Instant::parse);
    return new QueuedJob(id, "", groups, queue, "", reason, since, since, 0, gpus, 1);
  }

  /** Those that its node selector names; otherwise any. */
  Set<String> groupsOf(Pod pod) {
    Map<String, String> selector = pod.getSpec().getNodeSelector();
    Set<String> named = selector == null ? Set.of() : NodeReading.groups(selector);
    return named.isEmpty() ? groups : named;
  }

  /**
   * {@code Unschedulable: 0/12 nodes are available: ...}; empty before the scheduler evaluated it.
   */
  private static String reason(Pod pod) {
    List<PodCondition> conditions = pod.getStatus().getConditions();
    return (conditions == null ? List.<PodCondition>of() : conditions)
        .stream()
            .filter(one -> one.getType().equals("PodScheduled") && one.getStatus().equals("False"))
            .map(one -> reason(one.getReason(), one.getMessage()))
            .findFirst()
            .orElse("");
  }

  static String reason(String word, String message) {
    String words = PlainText.of(Objects.requireNonNullElse(message, ""), LONGEST);
    return Objects.requireNonNullElse(word, "Unschedulable")
        + (words.isEmpty() ? "" : ": " + words);
  }

  /** Of the pods of a gang: it has waited since the first, and its GPUs are those of all. */
  private static QueuedJob together(QueuedJob one, QueuedJob other) {
    boolean first =
        other.submitted().isEmpty()
            || one.submitted().filter(at -> !at.isAfter(other.submitted().get())).isPresent();
    QueuedJob older = first ? one : other;
    return new QueuedJob(
        one.id(),
        "",
        one.partitions(),
        one.account(),
        "",
        one.reason().isEmpty() ? other.reason() : one.reason(),
        older.submitted(),
        older.eligible(),
        0,
        one.gpus() + other.gpus(),
        1);
  }
}
