package io.lapwing.drain.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.kubernetes.Evictions.Blocked;
import io.lapwing.drain.kubernetes.Evictions.Evicted;
import io.lapwing.drain.kubernetes.Evictions.Impossible;
import io.lapwing.drain.kubernetes.Evictions.Unknown;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EvictionsTest {

  private static final String PATH = "/api/v1/namespaces/ml/pods/%s/eviction";
  private static final String PODS =
      "/api/v1/pods?fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed&limit=50";
  private static final Map<String, String> GANG = Map.of("job-name", "llama");

  private final ApiServer api = ApiServer.ofAnswers();
  private final KubernetesMockServer server = api.server;
  private final KubernetesClient client = api.client;

  @AfterEach
  void close() {
    api.close();
  }

  private static NodePod pod(PodBuilder made) {
    return NodePod.of(made.build()).orElseThrow();
  }

  private void answers(String pod, int code, String message) {
    server
        .expect()
        .post()
        .withPath(PATH.formatted(pod))
        .andReturn(code, new StatusBuilder().withCode(code).withMessage(message).build())
        .always();
  }

  @Test
  void eachAnswerOfTheServerMeansWhatItSays() {
    answers("gone", 404, "not found");
    answers("recreated", 409, "the UID in the precondition does not match");
    answers("accepted", 201, "");
    answers("guarded", 429, "Cannot evict pod as it would violate the pod's disruption budget.");
    answers("twice", 500, "This pod has more than one PodDisruptionBudget");
    answers("late", 504, "timeout");
    assertThat(evict("gone")).isInstanceOf(Evicted.class);
    assertThat(evict("recreated")).isInstanceOf(Evicted.class);
    assertThat(evict("accepted")).isInstanceOf(Evicted.class);
    assertThat(((Blocked) evict("guarded")).why())
        .startsWith("ml/guarded: Cannot evict pod as it would violate");
    assertThat(((Impossible) evict("twice")).why()).contains("more than one");
    assertThat(evict("late")).isInstanceOf(Unknown.class);
  }

  private Evictions.Answer evict(String name) {
    return new Evictions(client).evict(pod(MadeCluster.pod(name, "a", GANG)));
  }

  @Test
  void whatNothingWouldStartAgainIsNotEvicted() {
    PodBuilder alone = MadeCluster.pod("alone", "a", Map.of());
    alone.editMetadata().withOwnerReferences().endMetadata();
    assertThat(((Impossible) new Evictions(client).evict(pod(alone))).why())
        .contains("has no controller");
    PodBuilder slurm = MadeCluster.pod("s", "a", Map.of("app.kubernetes.io/name", "slurmd"));
    assertThat(((Impossible) new Evictions(client).evict(pod(slurm))).why())
        .contains("a node of Slurm");
    assertThat(server.getRequestCount()).isZero();
  }

  private KubernetesScheduler schedulerOfAGang() {
    server
        .expect()
        .get()
        .withPath(PODS)
        .andReturn(
            200,
            new PodListBuilder()
                .withNewMetadata()
                .endMetadata()
                .withItems(
                    MadeCluster.pod("w0", "a", GANG).build(),
                    MadeCluster.pod("w1", "b", GANG).build(),
                    MadeCluster.pod("other", "a", Map.of()).build())
                .build())
        .always();
    server
        .expect()
        .get()
        .withPath("/apis/policy/v1/namespaces/ml/poddisruptionbudgets")
        .andReturn(200, new PodDisruptionBudgetListBuilder().withMetadata(new ListMeta()).build())
        .always();
    return new KubernetesScheduler(client, Set.of(), () -> Instant.EPOCH, warning -> {});
  }

  /** Else it would count as ended, and not be ended again. */
  @Test
  void aForecastThatIsNotAnsweredEndsNoJob() {
    answers("w0", 504, "timeout");
    CommandResult result =
        schedulerOfAGang().end(new Job("ml/llama", "", Set.of(), 16), new NodeName("b"), "any");
    assertThat(((NotYet) result).why()).startsWith("nothing was evicted: ");
  }

  @Test
  void aJobIsEvictedAsAWholeOrNotAtAll() throws InterruptedException {
    answers("w0", 201, "");
    answers("w1", 429, "budget");
    KubernetesScheduler scheduler = schedulerOfAGang();
    CommandResult result =
        scheduler.end(new Job("ml/llama", "", Set.of(), 16), new NodeName("b"), "any");
    assertThat(((Refused) result).why()).isEqualTo("blocked: ml/w1: budget (429)");
    server.takeRequest();
    server.takeRequest();
    assertThat(server.takeRequest().getUtf8Body()).contains("\"dryRun\":[\"All\"]", "uid-w0");
    assertThat(server.getRequestCount()).as("two lists and two forecasts").isEqualTo(4);
    assertThat(scheduler.end(new Job("ml/llama", "", Set.of(), 16), new NodeName("c"), "any"))
        .as("a pod that is ending there already")
        .isInstanceOf(NotYet.class);
    assertThat(scheduler.blockers(new NodeName("b")))
        .containsExactly("blocked: ml/w1: budget (429)");
  }

  /** Each forecast alone is good, since a dry run does not use up the budget. */
  @Test
  void aBudgetThatPermitsPartOfAJobKeepsAllOfIt() {
    try (ApiServer objects = ApiServer.ofObjects()) {
      List<NodePod> pods = new ArrayList<>();
      for (String name : List.of("w0", "w1")) {
        Pod made = objects.client.resource(MadeCluster.pod(name, "a", GANG).build()).create();
        pods.add(NodePod.of(made).orElseThrow());
      }
      PodDisruptionBudget budget =
          new PodDisruptionBudgetBuilder()
              .withNewMetadata()
              .withNamespace("ml")
              .withName("llama")
              .endMetadata()
              .withNewSpec()
              .withNewSelector()
              .withMatchLabels(GANG)
              .endSelector()
              .endSpec()
              .withNewStatus()
              .withDisruptionsAllowed(1)
              .endStatus()
              .build();
      objects.client.resource(budget).create();
      Evictions evictions = new Evictions(objects.client);
      assertThat(evictions.tooMany(pods))
          .contains("the disruption budget llama permits 1 of 2 evictions");
      assertThat(evictions.tooMany(pods.subList(0, 1))).isEmpty();
      assertThat(
              new KubernetesScheduler(objects.client, Set.of(), () -> Instant.EPOCH, warning -> {})
                  .end(new Job("ml/llama", "", Set.of(), 16), new NodeName("a"), "any"))
          .isEqualTo(new Refused("blocked: the disruption budget llama permits 1 of 2 evictions"));
    }
  }
}
