package io.lapwing.drain.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.Scheduler.Other;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OtherPodsTest {

  private static final Instant ENDING = Instant.parse("2026-11-26T12:00:30Z");

  private static final NodeName A = new NodeName("a");
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final String PODS =
      "/api/v1/pods?fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed"
          + "%2Cspec.nodeName%3Da&limit=50";

  private final ApiServer api = ApiServer.ofAnswers();
  private final KubernetesScheduler scheduler =
      new KubernetesScheduler(api.client, Set.of(), () -> NOW, warning -> {});

  @AfterEach
  void close() {
    api.close();
  }

  private void run(Pod... pods) {
    api.server
        .expect()
        .get()
        .withPath(PODS)
        .andReturn(
            200, new PodListBuilder().withNewMetadata().endMetadata().withItems(pods).build())
        .always();
  }

  private void answers(String pod, int code, String message) {
    api.server
        .expect()
        .post()
        .withPath("/api/v1/namespaces/ml/pods/" + pod + "/eviction")
        .andReturn(code, new StatusBuilder().withCode(code).withMessage(message).build())
        .always();
  }

  /** Without GPUs. */
  private static PodBuilder pod(String name) {
    return new PodBuilder(
        MadeCluster.pod(name, "a", Map.of("app", name))
            .editMetadata()
            .withCreationTimestamp(NOW.minusSeconds(60).toString())
            .endMetadata()
            .editSpec()
            .editFirstContainer()
            .withNewResources()
            .addToLimits("cpu", new Quantity("4"))
            .endResources()
            .endContainer()
            .endSpec()
            .build());
  }

  @Test
  void podsWithoutGpusHaveToLeaveButForThoseOfTheSystem() {
    run(
        pod("web").build(),
        pod("ending").editMetadata().withDeletionTimestamp(ENDING.toString()).endMetadata().build(),
        pod("mirror")
            .editMetadata()
            .addToAnnotations("kubernetes.io/config.mirror", "x")
            .endMetadata()
            .build(),
        pod("daemon")
            .editMetadata()
            .editFirstOwnerReference()
            .withKind("DaemonSet")
            .endOwnerReference()
            .endMetadata()
            .build(),
        MadeCluster.daemon("device-plugin", "a"),
        MadeCluster.pod("train", "a", Map.of()).build());
    assertThat(scheduler.others(A))
        .containsExactly(
            new Other("ml/web", Optional.empty()), new Other("ml/ending", Optional.of(ENDING)));
  }

  @Test
  void eachIsEvictedForItselfAndABudgetIsRespected() throws InterruptedException {
    run(pod("web").build(), pod("guarded").build(), pod("cache").build());
    answers("web", 201, "");
    answers("guarded", 429, "budget");
    answers("cache", 201, "");
    assertThat(scheduler.evictOthers(A, NOW)).isEqualTo(new NotYet("ml/guarded: budget (429)"));
    List<String> evicted = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      RecordedRequest request = api.server.takeRequest();
      evicted.add(request.getMethod() + request.getPath().replaceAll("^.*/pods|[?].*", " "));
    }
    assertThat(evicted)
        .containsExactly(
            "GET  ", "POST /web/eviction", "POST /guarded/eviction", "POST /cache/eviction");
    assertThat(api.server.getRequestCount()).as("none is deleted").isEqualTo(4);
  }

  @Test
  void whatIsNotEvictedAtAllIsAPersonsTask() {
    run(
        pod("alone").editMetadata().withOwnerReferences().endMetadata().build(),
        pod("again")
            .editMetadata()
            .withCreationTimestamp(NOW.plusSeconds(5).toString())
            .endMetadata()
            .build());
    assertThat(scheduler.evictOthers(A, NOW))
        .isEqualTo(
            new Refused(
                "ml/alone has no controller: nothing would start it again; ml/again was started"
                    + " again on the node: it tolerates drains"));
    assertThat(api.server.getRequestCount()).isEqualTo(1);
  }

  @Test
  void aServerThatDoesNotAnswerDoesNotMeanThatTheNodeIsEmpty() {
    api.server.expect().get().withPath(PODS).andReturn(403, "{}").always();
    assertThat(scheduler.others(A))
        .singleElement()
        .satisfies(one -> assertThat(one.words()).startsWith("unknown: "))
        .satisfies(one -> assertThat(one.ends()).isEmpty());
    assertThat(scheduler.evictOthers(A, NOW)).isInstanceOf(NotYet.class);
  }

  @Test
  void aNodeWithoutOtherPodsIsEmpty() {
    run();
    assertThat(scheduler.others(A)).isEmpty();
    assertThat(scheduler.evictOthers(A, NOW)).isEqualTo(CommandResult.ACCEPTED);
  }
}
