package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.lapwing.common.text.PlainText;
import java.net.HttpURLConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Evicts pods by the Eviction API, which respects their PodDisruptionBudgets. A pod is never
 * deleted: only an eviction shows its Job that the pod did not fail by itself.
 */
final class Evictions {

  private static final int TOO_MANY_REQUESTS = 429;

  private static final int UNPROCESSABLE = 422;

  private final KubernetesClient client;

  Evictions(KubernetesClient client) {
    this.client = client;
  }

  /** The API server's answer to one eviction. */
  sealed interface Answer {

    /** Why it was not accepted; empty if it was. */
    String why();
  }

  /** It will end within its grace period, or has ended. */
  record Evicted() implements Answer {
    @Override
    public String why() {
      return "";
    }
  }

  /** A PodDisruptionBudget does not permit it now. */
  record Blocked(String why) implements Answer {}

  /**
   * It will never be permitted: more than one budget, no controller, a node of Slurm, a webhook
   * that refuses dry runs.
   */
  record Impossible(String why) implements Answer {}

  /** Whether it was accepted is not known. */
  record Unknown(String why) implements Answer {}

  /** Requests an eviction as a dry run. */
  Answer forecast(NodePod pod) {
    return evict(pod, true);
  }

  Answer evict(NodePod pod) {
    return evict(pod, false);
  }

  /**
   * Why the pods of a job cannot leave together; empty without a known reason. A dry run does not
   * use up a budget, so that each pod alone may be permitted to leave.
   *
   * @throws KubernetesClientException if the budgets cannot be read
   */
  Optional<String> tooMany(List<NodePod> pods) {
    if (pods.size() < 2) {
      return Optional.empty();
    }
    String namespace = pods.get(0).namespace();
    return client
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(namespace)
        .list()
        .getItems()
        .stream()
        .map(budget -> tooMany(pods, namespace, budget))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<String> tooMany(
      List<NodePod> pods, String namespace, PodDisruptionBudget budget) {
    if (budget.getSpec() == null || budget.getSpec().getSelector() == null) {
      return Optional.empty(); // It matches no pod.
    }
    Set<String> guarded = new HashSet<>();
    Pages.each(
        client.pods().inNamespace(namespace).withLabelSelector(budget.getSpec().getSelector()),
        NodePod.NOT_OVER,
        pod -> guarded.add(pod.getMetadata().getUid()));
    long leave =
        pods.stream().filter(pod -> !pod.isTerminating() && guarded.contains(pod.uid())).count();
    int permitted = budget.getStatus() == null ? 0 : budget.getStatus().getDisruptionsAllowed();
    return leave > permitted
        ? Optional.of(
            "the disruption budget "
                + budget.getMetadata().getName()
                + " permits "
                + permitted
                + " of "
                + PlainText.count(leave, "eviction"))
        : Optional.empty();
  }

  private Answer evict(NodePod pod, boolean dryRun) {
    if (pod.isSlurm()) {
      return new Impossible(pod.words() + " is a node of Slurm, which has to drain it");
    }
    if (pod.isTerminating()) {
      return new Evicted();
    }
    if (!pod.hasController()) {
      return new Impossible(pod.words() + " has no controller: nothing would start it again");
    }
    try {
      post(pod, dryRun);
      return new Evicted();
    } catch (KubernetesClientException e) {
      return answer(pod, e);
    }
  }

  /** With the identity of the pod: its successor of the same name must not be evicted instead. */
  private void post(NodePod pod, boolean dryRun) {
    DeleteOptions options =
        new DeleteOptionsBuilder()
            .withNewPreconditions()
            .withUid(pod.uid())
            .endPreconditions()
            .withDryRun(dryRun ? List.of("All") : List.of())
            .build();
    Eviction eviction =
        new EvictionBuilder()
            .withNewMetadata()
            .withName(pod.name())
            .withNamespace(pod.namespace())
            .endMetadata()
            .withDeleteOptions(options)
            .build();
    client.raw(
        "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name() + "/eviction",
        "POST",
        eviction);
  }

  private static Answer answer(NodePod pod, KubernetesClientException e) {
    String why = pod.words() + ": " + Failures.words(e);
    return switch (e.getCode()) {
      case HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT -> new Evicted();
      case TOO_MANY_REQUESTS -> new Blocked(why);
      case HttpURLConnection.HTTP_INTERNAL_ERROR,
          HttpURLConnection.HTTP_FORBIDDEN,
          HttpURLConnection.HTTP_BAD_REQUEST,
          HttpURLConnection.HTTP_BAD_METHOD,
          UNPROCESSABLE ->
          new Impossible(why);
      default -> new Unknown(why);
    };
  }
}
