package io.lapwing.drain.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.View;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * On a real API server: {@code -Ddrain.kubeconfig=FILE}, with the rights of an administrator and no
 * controllers beside it. It makes and deletes a node and a namespace {@code ml}.
 */
@Tag("slow")
@EnabledIfSystemProperty(named = "drain.kubeconfig", matches = ".+")
class RealApiServerTest {

  private static final String OURS = "lapwing-drain 1764000000-1";
  private static final NodeName A = new NodeName("lapwing-test.ec2.internal");
  private static final String CONDITION = "LapwingDrained";

  /** Minor version of Kubernetes. */
  private static final int EVICTIONS_OF_POLICY_V1 = 22;

  private final List<String> warnings = new ArrayList<>();
  private Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private KubernetesClient client;
  private KubernetesScheduler scheduler;

  @BeforeEach
  void connect() throws Exception {
    String file = Files.readString(Path.of(System.getProperty("drain.kubeconfig")));
    client = KubernetesScheduler.connect(Config.fromKubeconfig(file));
    scheduler = new KubernetesScheduler(client, Set.of(), () -> now, warnings::add);
    remove();
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName("ml").endMetadata().build())
        .createOr(there -> there.update());
    client.resource(MadeCluster.node(A.text()).build()).create();
  }

  @AfterEach
  void close() {
    remove();
    client.close();
  }

  private void remove() {
    client.nodes().withName(A.text()).delete();
    client.pods().inNamespace("ml").withGracePeriod(0).delete();
  }

  private ClusterView view() {
    return ((View) scheduler.view()).cluster();
  }

  private Node node() {
    return client.nodes().withName(A.text()).get();
  }

  private NodeCondition condition() {
    return node().getStatus().getConditions().stream()
        .filter(one -> one.getType().equals(CONDITION))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aNodeIsTakenMarkedAndReturned() {
    List<Taint> before =
        node().getSpec().getTaints(); // The server taints a node that is not ready.
    assertThat(view().node(A).orElseThrow().service()).isEqualTo(Service.IN_SERVICE);
    assertThat(scheduler.drain(A, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(node().getSpec().getUnschedulable()).isTrue();
    assertThat(node().getSpec().getTaints())
        .extracting(Taint::getKey)
        .anyMatch(key -> key.startsWith("lapwing"));
    assertThat(view().node(A).orElseThrow().heldFor(OURS)).isTrue();
    String since = condition().getLastTransitionTime();
    assertThat(condition().getStatus()).isEqualTo("True");

    now = now.plusSeconds(60);
    assertThat(scheduler.drain(A, OURS)).as("again").isEqualTo(CommandResult.ACCEPTED);
    assertThat(condition().getLastTransitionTime()).isEqualTo(since);
    assertThat(scheduler.drain(A, "lapwing-drain 1764000000-2")).isInstanceOf(Refused.class);
    assertThat(scheduler.resume(A, "lapwing-drain 1764000000-2")).isInstanceOf(Refused.class);

    assertThat(scheduler.resume(A, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(node().getSpec().getUnschedulable()).isNotEqualTo(true);
    assertThat(node().getSpec().getTaints()).isEqualTo(before);
    assertThat(condition().getStatus()).isEqualTo("False");
    assertThat(warnings).isEmpty();
  }

  @Test
  void anUncordonIsSeenAndOurMarksAreTakenOffWithoutThoseOfOthers() {
    List<Taint> before = node().getSpec().getTaints();
    Map<String, String> annotations = node().getMetadata().getAnnotations();
    scheduler.drain(A, OURS);
    client.nodes().withName(A.text()).edit(RealApiServerTest::uncordoned);
    assertThat(view().node(A).orElseThrow().service()).isEqualTo(Service.IN_SERVICE);
    assertThat(view().node(A).orElseThrow().more().leftOver()).isEqualTo(OURS);

    assertThat(scheduler.letGo(A, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(view().node(A).orElseThrow().more().leftOver()).isEmpty();
    assertThat(node().getSpec().getTaints()).isEqualTo(before);
    assertThat(node().getMetadata().getAnnotations()).isEqualTo(annotations);
    assertThat(client.raw("/api/v1/nodes/" + A))
        .as("the controller does not read it, and the server keeps it")
        .contains("\"managedFields\"");
    assertThat(condition().getStatus()).isEqualTo("False");
  }

  private static Node uncordoned(Node node) {
    node.getSpec().setUnschedulable(false);
    return node;
  }

  @Test
  void aCordonOfAPersonIsLeftAlone() {
    client.nodes().withName(A.text()).edit(one -> cordoned(one));
    assertThat(scheduler.drain(A, OURS)).isInstanceOf(Refused.class);
    assertThat(scheduler.resume(A, OURS)).isInstanceOf(Refused.class);
    assertThat(node().getSpec().getUnschedulable()).isTrue();
  }

  private static Node cordoned(Node node) {
    node.getSpec().setUnschedulable(true);
    return node;
  }

  private void run(String name) {
    Pod pod = MadeCluster.pod(name, A.text(), Map.of()).build();
    Container main = pod.getSpec().getContainers().get(0);
    main.setImage("example/none");
    main.getResources().setRequests(main.getResources().getLimits());
    client.resource(pod).create();
  }

  @Test
  void podsWithGpusAreJobsAndTheirEvictionCanBeForecast() {
    run("w0");
    assertThat(view().jobs()).extracting(job -> job.id()).containsExactly("ml/w0");
    List<String> blockers = scheduler.blockers(A);
    if (Integer.parseInt(client.getKubernetesVersion().getMinor()) >= EVICTIONS_OF_POLICY_V1) {
      assertThat(blockers).as("nothing forbids it").isEmpty();
    } else {
      assertThat(blockers).singleElement().asString().startsWith("ml/w0: ").contains("policy/v1");
    }
    assertThat(client.pods().inNamespace("ml").withName("w0").get()).as("a dry run").isNotNull();
  }

  @Test
  void podsAreFollowedAfterOneList() {
    assertThat(latest()).isEmpty();
    run("w1");
    await().untilAsserted(() -> assertThat(latest()).containsExactly("ml/w1"));
    client.pods().inNamespace("ml").withName("w1").withGracePeriod(0).delete();
    await().untilAsserted(() -> assertThat(latest()).isEmpty());
    assertThat(warnings).isEmpty();
  }

  private List<String> latest() {
    return ((View) scheduler.latest()).cluster().jobs().stream().map(job -> job.id()).toList();
  }

  @Test
  void oneOfTwoControllersLeads() {
    try (Leadership first = new Leadership(client, "ml", "lapwing-drain", "a", () -> {})) {
      await().until(first::leads);
      try (Leadership second = new Leadership(client, "ml", "lapwing-drain", "b", () -> {})) {
        await().untilAsserted(() -> assertThat(second.notLeading()).isPresent());
        assertThat(second.leads()).isFalse();
      }
    } finally {
      client.leases().inNamespace("ml").withName("lapwing-drain").delete();
    }
  }

  @Test
  void withoutTheRightNothingIsSeen() throws Exception {
    Config plain =
        Config.fromKubeconfig(Files.readString(Path.of(System.getProperty("drain.kubeconfig"))));
    plain.setOauthToken("none");
    plain.setAutoOAuthToken("none");
    try (KubernetesClient unauthenticated = KubernetesScheduler.connect(plain)) {
      assertThat(
              new KubernetesScheduler(unauthenticated, Set.of(), () -> now, warnings::add).view())
          .isInstanceOf(CannotSee.class);
    }
  }
}
