package io.lapwing.drain.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.lapwing.drain.cluster.QueuedJob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Kueue's workloads with GPUs that are not admitted. None, where Kueue is not installed. */
record KueueWorkloads(KubernetesClient client, WaitingJobs jobs) {

  private static final String GROUP = "kueue.x-k8s.io";

  /** Of the messages of Kueue, when no more of its quota is free. */
  private static final List<String> QUOTA = List.of("insufficient unused quota", "borrowing limit");

  /**
   * All of them.
   *
   * @throws KubernetesClientException if the API server does not answer, or not in full
   */
  List<QueuedJob> read() {
    APIGroup group = client.getApiGroup(GROUP);
    if (group == null) {
      return List.of();
    }
    ResourceDefinitionContext workloads =
        new ResourceDefinitionContext.Builder()
            .withGroup(GROUP)
            .withVersion(group.getPreferredVersion().getVersion())
            .withKind("Workload")
            .withPlural("workloads")
            .withNamespaced(true)
            .build();
    List<QueuedJob> all = new ArrayList<>();
    Pages.each(
        client.genericKubernetesResources(workloads).inAnyNamespace(),
        null,
        workload -> of(workload).ifPresent(all::add));
    return all;
  }

  /** Empty if it has no GPUs, or waits no longer. */
  private Optional<QueuedJob> of(GenericKubernetesResource workload) {
    KubernetesSerialization json = client.getKubernetesSerialization();
    JsonNode whole = json.convertValue(workload, JsonNode.class);
    Optional<String> reason = reason(whole);
    int gpus = 0;
    Set<String> groups = new HashSet<>();
    for (JsonNode set : whole.path("spec").path("podSets")) {
      Pod pod = pod(json.convertValue(set.path("template").path("spec"), PodSpec.class));
      gpus += PodReading.gpus(pod) * set.path("count").asInt(1);
      groups.addAll(jobs.groupsOf(pod));
    }
    if (reason.isEmpty() || gpus == 0) {
      return Optional.empty();
    }
    String namespace = workload.getMetadata().getNamespace();
    return Optional.of(
        WaitingJobs.job(
            namespace + "/" + name(workload),
            whole.path("spec").path("queueName").asText(namespace),
            groups,
            reason.get(),
            workload.getMetadata().getCreationTimestamp(),
            gpus));
  }

  private static Pod pod(PodSpec spec) {
    return new PodBuilder().withNewMetadata().endMetadata().withSpec(spec).build();
  }

  /** Of the job that it represents, as its pods name it. */
  private static String name(GenericKubernetesResource workload) {
    return workload.getMetadata().getOwnerReferences().stream()
        .map(owner -> owner.getName())
        .findFirst()
        .orElse(workload.getMetadata().getName());
  }

  /** Empty if it is admitted or over. */
  private static Optional<String> reason(JsonNode workload) {
    if (is(workload, "Admitted") || is(workload, "Finished")) {
      return Optional.empty();
    }
    if (!workload.path("spec").path("active").asBoolean(true)) {
      return Optional.of("KueueInactive");
    }
    if (is(workload, "QuotaReserved")) {
      return Optional.of("KueueChecks");
    }
    JsonNode condition = condition(workload, "QuotaReserved");
    String message = condition.path("message").asText();
    boolean inadmissible = condition.path("reason").asText().equals("Inadmissible");
    boolean quota = QUOTA.stream().anyMatch(message::contains);
    String word = inadmissible ? "KueueInadmissible" : quota ? "KueueQuota" : "KueuePending";
    return Optional.of(WaitingJobs.reason(word, message));
  }

  private static boolean is(JsonNode workload, String type) {
    return condition(workload, type).path("status").asText().equals("True");
  }

  private static JsonNode condition(JsonNode workload, String type) {
    for (JsonNode one : workload.path("status").path("conditions")) {
      if (one.path("type").asText().equals(type)) {
        return one;
      }
    }
    return MissingNode.getInstance();
  }
}
