package io.lapwing.drain.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PodWatchTest {

  private final List<String> warnings = new ArrayList<>();
  private volatile Instant now = Instant.parse("2026-11-26T12:00:00Z");
  private ApiServer api = ApiServer.ofObjects();
  private PodWatch watch = new PodWatch(api.client, () -> now, warnings::add);

  @AfterEach
  void close() {
    api.close();
  }

  private static Pod pod(String name) {
    return MadeCluster.pod(name, "a", Map.of()).build();
  }

  private List<String> names() {
    return watch.latest().stream().map(NodePod::words).sorted().toList();
  }

  /** Requests since the last call that listed pods. */
  private int lists() throws InterruptedException {
    int lists = 0;
    while (api.server.getRequestCount() > taken) {
      taken++;
      String path = String.valueOf(api.server.takeRequest().getPath());
      lists += path.startsWith("/api/v1/pods?") && !path.contains("watch=true") ? 1 : 0;
    }
    return lists;
  }

  private int taken;

  @Test
  void thePodsAreListedOnceAndThenFollowed() throws InterruptedException {
    Pod first = api.client.resource(pod("first")).create();
    assertThat(names()).containsExactly("ml/first");
    api.client.resource(pod("second")).create();
    api.client.resource(MadeCluster.daemon("dcgm", "a")).create();
    await().untilAsserted(() -> assertThat(names()).containsExactly("ml/first", "ml/second"));
    first.getStatus().setPhase("Succeeded");
    api.client.resource(first).updateStatus();
    await().untilAsserted(() -> assertThat(names()).containsExactly("ml/second"));
    api.client.pods().inNamespace("ml").withName("second").delete();
    await().untilAsserted(() -> assertThat(names()).isEmpty());
    assertThat(lists()).isEqualTo(1);
    assertThat(warnings).isEmpty();
  }

  @Test
  void aWatchThatIsSilentIsNotTrusted() throws InterruptedException {
    names();
    now = now.plus(PodWatch.SILENCE).minusSeconds(1);
    names();
    assertThat(lists()).isEqualTo(1);
    now = now.plusSeconds(1);
    names();
    names();
    assertThat(lists()).isEqualTo(1);
  }

  @Test
  void aListIsNotFollowedForEver() throws InterruptedException {
    names();
    for (Instant end = now.plus(PodWatch.LIST_AGAIN); now.isBefore(end); ) {
      Pod heard = api.client.resource(pod("p" + now.getEpochSecond())).create();
      await()
          .untilAsserted(() -> assertThat(names()).contains("ml/" + heard.getMetadata().getName()));
      now = now.plusSeconds(100);
    }
    assertThat(lists()).isEqualTo(1);
    names();
    assertThat(lists()).isEqualTo(1);
  }

  @Test
  void aServerThatIsGoneIsNotBelievedForLong() {
    names();
    api.server.shutdown();
    now = now.plus(PodWatch.SILENCE);
    assertThatThrownBy(watch::latest).isInstanceOf(KubernetesClientException.class);
  }

  /** As with the role of an older chart. */
  @Test
  void whereAWatchIsForbiddenThePodsAreListedInEachRound() throws InterruptedException {
    api.close();
    api = ApiServer.ofAnswers();
    watch = new PodWatch(api.client, () -> now, warnings::add);
    String fields = "fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed";
    api.server
        .expect()
        .get()
        .withPath("/api/v1/pods?" + fields + "&limit=50")
        .andReturn(
            HttpURLConnection.HTTP_OK,
            new PodListBuilder()
                .withNewMetadata()
                .withResourceVersion("7")
                .endMetadata()
                .withItems(pod("first"))
                .build())
        .always();
    api.server
        .expect()
        .get()
        .withPath(
            "/api/v1/pods?allowWatchBookmarks=true&" + fields + "&resourceVersion=7&watch=true")
        .andReturn(
            HttpURLConnection.HTTP_FORBIDDEN,
            new StatusBuilder()
                .withCode(HttpURLConnection.HTTP_FORBIDDEN)
                .withMessage("no")
                .build())
        .always();
    assertThat(names()).containsExactly("ml/first");
    assertThat(names()).containsExactly("ml/first");
    assertThat(lists()).isEqualTo(2);
    assertThat(warnings)
        .containsExactly("pods cannot be watched and are listed in each round: Forbidden (403)");
  }
}
