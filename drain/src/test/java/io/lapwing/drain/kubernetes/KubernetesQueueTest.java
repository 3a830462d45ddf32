package io.lapwing.drain.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.lapwing.drain.cluster.JobQueue.Queue;
import io.lapwing.drain.cluster.JobQueue.Unreadable;
import io.lapwing.drain.cluster.QueuedJob;
import io.lapwing.drain.cluster.Scheduler.View;
import io.lapwing.drain.queue.QueueWatch;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KubernetesQueueTest {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final Instant SINCE = NOW.minusSeconds(600);
  private static final String PODS = "/api/v1/pods?fieldSelector=status.phase%3DPending&limit=50";
  private static final String FULL = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.";

  private final ApiServer api = ApiServer.ofAnswers();
  private final KubernetesScheduler scheduler =
      new KubernetesScheduler(api.client, Set.of(), () -> NOW, warning -> {});

  @AfterEach
  void close() {
    api.close();
  }

  private static Pod waiting(String name, String job, String reason, String message) {
    return new PodBuilder(MadeCluster.pod(name, "any", Map.of("job-name", job)).build())
        .editMetadata()
        .withCreationTimestamp(SINCE.toString())
        .endMetadata()
        .editSpec()
        .withNodeName(null)
        .endSpec()
        .editStatus()
        .withPhase("Pending")
        .addNewCondition()
        .withType("PodScheduled")
        .withStatus("False")
        .withReason(reason)
        .withMessage(message)
        .endCondition()
        .endStatus()
        .build();
  }

  private void pods(Pod... pods) {
    api.server
        .expect()
        .get()
        .withPath(PODS)
        .andReturn(
            200, new PodListBuilder().withNewMetadata().endMetadata().withItems(pods).build())
        .always();
  }

  /** The API group, and its workloads as Kueue 0.14 writes them. */
  private void kueue(String... conditions) {
    api.server
        .expect()
        .get()
        .withPath("/apis/kueue.x-k8s.io")
        .andReturn(
            200,
            """
            {"kind": "APIGroup", "apiVersion": "v1", "name": "kueue.x-k8s.io",
             "preferredVersion": {"groupVersion": "kueue.x-k8s.io/v1beta1", "version": "v1beta1"},
             "versions": [{"groupVersion": "kueue.x-k8s.io/v1beta1", "version": "v1beta1"}]}
            """)
        .always();
    StringBuilder items = new StringBuilder();
    for (int i = 0; i < conditions.length; i++) {
      items
          .append(i == 0 ? "" : ",")
          .append(
              """
              {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "Workload",
               "metadata": {"namespace": "ml", "name": "job-%1$d-3f2a1",
                 "creationTimestamp": "2026-11-25T11:50:00Z",
                 "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "uid": "u%1$d",
                   "name": "train-%1$d", "controller": true}]},
               "spec": {"queueName": "research", "podSets": [{"name": "main", "count": 4,
                 "template": {"spec": {"nodeSelector": {"eks.amazonaws.com/nodegroup": "p5"},
                   "containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": 8}}}]}}}]},
               "status": {"conditions": [%2$s]}}
              """
                  .formatted(i, conditions[i]));
    }
    api.server
        .expect()
        .get()
        .withPath("/apis/kueue.x-k8s.io/v1beta1/workloads?limit=50")
        .andReturn(
            200,
            """
            {"kind": "WorkloadList", "apiVersion": "kueue.x-k8s.io/v1beta1", "metadata": {},
             "items": [%s]}
            """
                .formatted(items))
        .always();
  }

  private static String condition(String type, String status, String reason, String message) {
    return """
        {"type": "%s", "status": "%s", "reason": "%s", "message": "%s"}"""
        .formatted(type, status, reason, message);
  }

  private List<QueuedJob> queue() {
    return ((Queue) scheduler.queue()).jobs();
  }

  private Optional<String> why(String job) {
    QueueWatch watch =
        new QueueWatch(scheduler, () -> Optional.of(((View) cluster().view()).cluster()));
    watch.read(NOW);
    assertThat(watch.last().problem()).isEmpty();
    return watch.why(job);
  }

  /** Two nodes, one of them out of service. */
  private static KubernetesScheduler cluster() {
    ApiServer nodes = ApiServer.ofObjects();
    nodes.client.resource(MadeCluster.node("a").build()).create();
    nodes
        .client
        .resource(MadeCluster.node("b").editSpec().withUnschedulable(true).endSpec().build())
        .create();
    return new KubernetesScheduler(nodes.client, Set.of(), () -> NOW, warning -> {});
  }

  @Test
  void podsOfAGangWithoutANodeAreOneJob() {
    pods(
        waiting("w0", "llama", "Unschedulable", FULL),
        waiting("w1", "llama", "Unschedulable", FULL),
        waiting("other", "bert", "SchedulingGated", ""),
        MadeCluster.pod("pulls-its-image", "a", Map.of()).build());
    assertThat(queue())
        .containsExactlyInAnyOrder(
            new QueuedJob(
                "ml/llama",
                "",
                Set.of(),
                "ml",
                "",
                "Unschedulable: " + FULL,
                Optional.of(SINCE),
                Optional.of(SINCE),
                0,
                16,
                1),
            new QueuedJob(
                "ml/bert",
                "",
                Set.of(),
                "ml",
                "",
                "SchedulingGated",
                Optional.of(SINCE),
                Optional.of(SINCE),
                0,
                8,
                1));
  }

  @Test
  void theNodesSayWhyAPodCannotBePlaced() {
    Pod one = waiting("w0", "llama", "Unschedulable", FULL);
    Pod other = waiting("w1", "llama", "Unschedulable", FULL);
    one.getSpec().setNodeSelector(Map.of("eks.amazonaws.com/nodegroup", "train"));
    other.getSpec().setNodeSelector(Map.of("eks.amazonaws.com/nodegroup", "train"));
    pods(one, other);
    assertThat(why("llama"))
        .contains(
            "job ml/llama waits for provisioning: it asks for 16 GPUs; 1 node with 8 GPUs of train"
                + " are free, and it would fit if 8 GPUs came back"
                + " (Unschedulable: "
                + FULL
                + ")");
  }

  @Test
  void jobsThatKueueHasNotAdmittedWaitWithoutPods() {
    pods(waiting("w0", "train-0", "SchedulingGated", ""));
    kueue(
        condition(
            "QuotaReserved",
            "False",
            "Pending",
            "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu"
                + " in flavor p5, 24 more needed"),
        condition("QuotaReserved", "True", "QuotaReserved", "")
            + ","
            + condition("Admitted", "True", "Admitted", ""),
        condition("QuotaReserved", "True", "QuotaReserved", ""),
        condition("QuotaReserved", "False", "Inadmissible", "LocalQueue research doesn't exist"),
        condition("Finished", "True", "JobFinished", ""),
        "");
    assertThat(queue())
        .extracting(QueuedJob::id, QueuedJob::account, QueuedJob::gpus, QueuedJob::partitions)
        .containsExactlyInAnyOrder(
            tuple("ml/train-0", "research", 32, Set.of("p5")),
            tuple("ml/train-2", "research", 32, Set.of("p5")),
            tuple("ml/train-3", "research", 32, Set.of("p5")),
            tuple("ml/train-5", "research", 32, Set.of("p5")));
    assertThat(why("ml/train-0"))
        .hasValueSatisfying(
            words ->
                assertThat(words)
                    .startsWith("job ml/train-0 waits for reservation: the quota of its queue is")
                    .contains("24 more needed"));
    assertThat(why("train-2")).hasValueSatisfying(words -> assertThat(words).contains("checks"));
    assertThat(why("train-3"))
        .hasValueSatisfying(words -> assertThat(words).contains("waits for workload: its queue"));
    assertThat(why("train-5"))
        .hasValueSatisfying(words -> assertThat(words).contains("waits for scheduling: Kueue has"));
  }

  @Test
  void aServerThatRefusesDoesNotMeanThatNoJobWaits() {
    api.server.expect().get().withPath(PODS).andReturn(403, "{}").always();
    assertThat(scheduler.queue()).isInstanceOf(Unreadable.class);
  }
}
