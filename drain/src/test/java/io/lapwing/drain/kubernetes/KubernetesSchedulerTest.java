package io.lapwing.drain.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeListBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KubernetesSchedulerTest {

  private static final String OURS = "lapwing-drain 1764000000-1";
  private static final NodeName A = new NodeName("a.ec2.internal");

  private final ApiServer api = ApiServer.ofObjects();
  private final KubernetesClient client = api.client;
  private final List<String> warnings = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-25T12:00:00Z");
  private final KubernetesScheduler scheduler =
      new KubernetesScheduler(client, Set.of(), () -> now, warnings::add);

  @AfterEach
  void close() {
    api.close();
  }

  private void exists(Node node) {
    client.resource(node).create();
  }

  private ClusterView view() {
    return ((View) scheduler.view()).cluster();
  }

  private NodeState state() {
    return view().node(A).orElseThrow();
  }

  private Node node() {
    return client.nodes().withName(A.text()).get();
  }

  private static String why(CommandResult result) {
    return ((Refused) result).why();
  }

  @Test
  void nodesWithGpusAreSeenWithTheirGroupAndInstance() {
    exists(MadeCluster.node(A.text()).build());
    exists(MadeCluster.plain("web"));
    assertThat(view().nodes()).hasSize(1);
    assertThat(state())
        .isEqualTo(
            new NodeState(
                A,
                Service.IN_SERVICE,
                "",
                "",
                Set.of("train"),
                true,
                "i-0123456789abcdef0",
                state().booted(),
                8,
                state().more()));
    assertThat(state().more().instanceType()).isEqualTo("p5.48xlarge");
    assertThat(state().more().heldBy()).isEmpty();
  }

  @Test
  void theInstanceOfAHyperPodNodeIsTheEndOfItsName() {
    exists(
        MadeCluster.node(A.text())
            .editSpec()
            .withProviderID(
                "aws:///use1-az4/sagemaker/cluster/hyperpod-tqci9uwuwqiz-i-00f3cbe8dfee6b675")
            .endSpec()
            .build());

    assertThat(state().instanceId()).isEqualTo("i-00f3cbe8dfee6b675");
  }

  @Test
  void aNodeWhoseDevicePluginIsGoneIsStillSeen() {
    Node node =
        MadeCluster.node(A.text())
            .editMetadata()
            .removeFromLabels("nvidia.com/gpu.present")
            .endMetadata()
            .withNewStatus()
            .endStatus()
            .build();
    exists(node);
    assertThat(state().gpus()).isZero();
    assertThat(state().registered()).isFalse();
  }

  /** The uid that the server gave it. */
  private String runs(Pod pod) {
    return client.resource(pod).create().getMetadata().getUid();
  }

  @Test
  void podsOfAGangAreOneJobAndThoseOfTheSystemNone() {
    exists(MadeCluster.node(A.text()).build());
    Map<String, String> gang = Map.of("jobset.sigs.k8s.io/jobset-name", "llama");
    String first = runs(MadeCluster.pod("w0", "a.ec2.internal", gang).build());
    String second = runs(MadeCluster.pod("w1", "b.ec2.internal", gang).build());
    String serve = runs(MadeCluster.pod("serve", "b.ec2.internal", Map.of()).build());
    client.resource(MadeCluster.daemon("dcgm", "a.ec2.internal")).create();
    assertThat(view().jobs())
        .containsExactlyInAnyOrder(
            Job.ofPods(
                "ml/llama", Set.of(A, new NodeName("b.ec2.internal")), 16, Set.of(first, second)),
            Job.ofPods("ml/serve", Set.of(new NodeName("b.ec2.internal")), 8, Set.of(serve)));
  }

  @Test
  void gangsOfOneNameInTwoNamespacesAreTwoJobsWithTheirOwnPods() {
    Map<String, String> gang = Map.of("job-name", "llama");
    String first = runs(MadeCluster.pod("w0", A.text(), gang).build());
    String second =
        runs(
            MadeCluster.pod("w1", A.text(), gang)
                .editMetadata()
                .withNamespace("web")
                .endMetadata()
                .build());
    assertThat(first).isNotEqualTo(second);
    assertThat(view().jobs())
        .containsExactlyInAnyOrder(
            Job.ofPods("ml/llama", Set.of(A), 8, Set.of(first)),
            Job.ofPods("web/llama", Set.of(A), 8, Set.of(second)));
  }

  /** A process that hangs in the kernel does not end; a reboot may be what frees it. */
  @Test
  void aPodThatHangsIsNoJobForEver() {
    Pod ending =
        MadeCluster.pod("w0", A.text(), Map.of())
            .editMetadata()
            .withDeletionTimestamp(now.minusSeconds(599).toString())
            .endMetadata()
            .build();
    assertThat(jobs(MadeCluster.node(A.text()).build(), ending, 0)).hasSize(1);
    assertThat(jobs(MadeCluster.node(A.text()).build(), ending, 2)).isEmpty();
    Node silent =
        MadeCluster.node(A.text()).editStatus().withConditions(List.of()).endStatus().build();
    assertThat(jobs(silent, ending, 2)).as("its kubelet does not answer").hasSize(1);
  }

  /** So many seconds from now; a server that stores objects keeps no time of a deletion. */
  private List<Job> jobs(Node node, Pod pod, int seconds) {
    try (ApiServer answers = ApiServer.ofAnswers()) {
      answers
          .server
          .expect()
          .get()
          .withPath("/api/v1/nodes?limit=50")
          .andReturn(
              200, new NodeListBuilder().withMetadata(new ListMeta()).withItems(node).build())
          .always();
      answers
          .server
          .expect()
          .get()
          .withPath(
              "/api/v1/pods?fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed"
                  + "&limit=50")
          .andReturn(200, new PodListBuilder().withMetadata(new ListMeta()).withItems(pod).build())
          .always();
      KubernetesScheduler other =
          new KubernetesScheduler(
              answers.client, Set.of(), () -> now.plusSeconds(seconds), warnings::add);
      return ((View) other.view()).cluster().jobs();
    }
  }

  @Test
  void gpusOfSidecarsCountAndThoseOfInitContainersRunBefore() {
    Container main = MadeCluster.pod("w0", "a", Map.of()).build().getSpec().getContainers().get(0);
    Container sidecar = new ContainerBuilder(main).withRestartPolicy("Always").build();
    Pod plain =
        MadeCluster.pod("w0", "a", Map.of()).editSpec().withInitContainers(main).endSpec().build();
    assertThat(PodReading.gpus(plain)).isEqualTo(8);
    Pod beside =
        MadeCluster.pod("w0", "a", Map.of())
            .editSpec()
            .withInitContainers(sidecar)
            .endSpec()
            .build();
    assertThat(PodReading.gpus(beside)).isEqualTo(16);
    beside.getSpec().getContainers().get(0).setResources(null);
    assertThat(PodReading.holdsGpus(beside)).isTrue();
  }

  @Test
  void aNodeOfSlurmIsAJobUntilItsOperatorCallsItDrained() {
    exists(MadeCluster.node(A.text()).build());
    var pod =
        MadeCluster.pod(
            "slurmd-0", A.text(), Map.of("nodeset.slinky.slurm.net/pod-name", "slurmd-0"));
    var created = client.resource(pod.build()).create();
    assertThat(view().jobs()).hasSize(1);
    Map<String, Integer> jobs = new LinkedHashMap<>();
    for (String states :
        List.of(
            "Idle",
            "Drain",
            "Drain Mixed",
            "Drain Idle Completing",
            "Drain Idle Undrain",
            "Drain Down",
            "Drain Idle")) {
      created
          .getStatus()
          .setConditions(
              Stream.of(states.split(" ", -1)).map(KubernetesSchedulerTest::slurm).toList());
      client.resource(created).updateStatus();
      jobs.put(states, view().jobs().size());
    }
    assertThat(jobs.remove("Drain Idle")).isZero();
    assertThat(jobs.remove("Drain Down")).isZero();
    assertThat(jobs.values()).hasSize(5).containsOnly(1);
  }

  private static io.fabric8.kubernetes.api.model.PodCondition slurm(String state) {
    var condition = new io.fabric8.kubernetes.api.model.PodCondition();
    condition.setType("SlurmNodeState" + state);
    condition.setStatus("True");
    return condition;
  }

  @Test
  void aNodeIsTakenByCordonAndTaintAndReturnedAsItWas() {
    Node before =
        MadeCluster.node(A.text())
            .editMetadata()
            .addToAnnotations("karpenter.sh/do-not-disrupt", "4h")
            .endMetadata()
            .editSpec()
            .addNewTaint("NoSchedule", "nvidia.com/gpu", null, "true")
            .endSpec()
            .build();
    exists(before);
    assertThat(scheduler.drain(A, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(node().getSpec().getUnschedulable()).isTrue();
    assertThat(node().getSpec().getTaints())
        .extracting("key")
        .containsExactlyInAnyOrder("nvidia.com/gpu", "lapwing.io/drain");
    assertThat(node().getMetadata().getAnnotations())
        .containsEntry("karpenter.sh/do-not-disrupt", "4h")
        .containsEntry("cluster-autoscaler.kubernetes.io/scale-down-disabled", "true")
        .containsEntry("nodeset.slinky.slurm.net/node-cordon-reason", OURS);
    assertThat(state().heldFor(OURS)).isTrue();
    assertThat(scheduler.drain(A, OURS)).as("again").isEqualTo(CommandResult.ACCEPTED);

    assertThat(scheduler.resume(A, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(state().service()).isEqualTo(Service.IN_SERVICE);
    assertThat(node().getSpec().getTaints()).isEqualTo(before.getSpec().getTaints());
    assertThat(node().getMetadata().getAnnotations())
        .isEqualTo(before.getMetadata().getAnnotations());
    assertThat(scheduler.resume(A, OURS)).as("again").isEqualTo(CommandResult.ACCEPTED);
    assertThat(warnings).isEmpty();
  }

  @Test
  void aNodeThatAPersonCordonedIsNeitherTakenNorReturned() {
    exists(MadeCluster.node(A.text()).editSpec().withUnschedulable(true).endSpec().build());
    assertThat(why(scheduler.drain(A, OURS)))
        .isEqualTo("another user has taken the node: cordoned");
    assertThat(why(scheduler.resume(A, OURS))).startsWith("it is not out of service for ");
    assertThat(node().getSpec().getUnschedulable()).isTrue();
    assertThat(node().getSpec().getTaints()).isNullOrEmpty();
  }

  private Node tainted(String key, String effect) {
    return MadeCluster.node(A.text())
        .editSpec()
        .addNewTaint(effect, key, null, "kim")
        .endSpec()
        .build();
  }

  private Service serviceOf(Node node) {
    return NodeReading.of(node, new ForeignTaints(Set.of("dedicated"))).orElseThrow().service();
  }

  @Test
  void aNodeThatAPersonTaintedIsNeitherTakenNorReturned() {
    exists(tainted("example.com/maintenance", "NoSchedule"));
    String taint =
        "tainted example.com/maintenance=kim:NoSchedule; see kubernetes.permanent-taints";
    assertThat(state().reason()).isEqualTo(taint);
    assertThat(why(scheduler.drain(A, OURS)))
        .isEqualTo("another user has taken the node: " + taint);
    assertThat(why(scheduler.resume(A, OURS))).startsWith("it is not out of service for ");
    assertThat(node().getSpec().getUnschedulable()).isNull();
    assertThat(serviceOf(tainted("example.com/maintenance", "NoExecute")))
        .isEqualTo(Service.DRAINED);
  }

  @Test
  void taintsThatNodesHaveForGoodOrForAStateTakeNoNode() {
    for (String key :
        List.of(
            "nvidia.com/gpu",
            "dedicated",
            "node-role.kubernetes.io/control-plane",
            "node.kubernetes.io/not-ready",
            "node.kubernetes.io/disk-pressure",
            "fsx.csi.aws.com/agent-not-ready",
            "nodeset.slinky.slurm.net/worker",
            "slinky.slurm.net/managed-node")) {
      assertThat(serviceOf(tainted(key, "NoSchedule"))).as(key).isEqualTo(Service.IN_SERVICE);
    }
    assertThat(serviceOf(tainted("example.com/maintenance", "PreferNoSchedule")))
        .isEqualTo(Service.IN_SERVICE);
  }

  @Test
  void aTaintOnANodeThatIsOursTakesItNotFromUs() {
    exists(MadeCluster.node(A.text()).build());
    scheduler.drain(A, OURS);
    client
        .nodes()
        .withName(A.text())
        .edit(
            node ->
                new NodeBuilder(node)
                    .editSpec()
                    .addNewTaint("NoSchedule", "example.com/maintenance", null, "kim")
                    .endSpec()
                    .build());
    assertThat(state().heldFor(OURS)).isTrue();

    assertThat(scheduler.resume(A, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(state().service()).isEqualTo(Service.DRAINED);
    assertThat(node().getSpec().getTaints())
        .extracting("key")
        .containsExactly("example.com/maintenance");
  }

  private void cordon(@Nullable Boolean unschedulable) {
    client
        .nodes()
        .withName(A.text())
        .edit(
            node ->
                new NodeBuilder(node)
                    .editSpec()
                    .withUnschedulable(unschedulable)
                    .endSpec()
                    .build());
  }

  @Test
  void aNodeThatAPersonUncordonedIsTheirsWithoutAnyOfOurMarks() {
    Node before = MadeCluster.node(A.text()).build();
    exists(before);
    scheduler.drain(A, OURS);
    cordon(null);
    assertThat(state().heldFor(OURS)).isFalse();
    assertThat(state().service()).isEqualTo(Service.IN_SERVICE);
    assertThat(state().more().leftOver()).isEqualTo(OURS);
    assertThat(scheduler.resume(A, OURS)).isEqualTo(CommandResult.ACCEPTED);

    assertThat(scheduler.letGo(A, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(state().more().leftOver()).isEmpty();
    assertThat(node().getSpec().getTaints()).isEmpty();
    assertThat(node().getSpec().getUnschedulable()).isNull();
    assertThat(node().getMetadata().getAnnotations()).isNullOrEmpty();
    assertThat(condition().getStatus()).isEqualTo("False");
    assertThat(scheduler.letGo(A, OURS)).as("again").isEqualTo(CommandResult.ACCEPTED);
  }

  @Test
  void aCordonThatFollowsAnUncordonIsThePersonsAndStays() {
    exists(MadeCluster.node(A.text()).build());
    scheduler.drain(A, OURS);
    cordon(null);
    assertThat(state().more().leftOver()).isEqualTo(OURS);
    cordon(true);
    assertThat(scheduler.letGo(A, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(node().getSpec().getUnschedulable()).isTrue();
    assertThat(state().reason()).isEqualTo("cordoned");
  }

  @Test
  void aNodeThatIsTakenAgainBeforeOurMarksAreGoneIsReturnedAsItWas() {
    exists(MadeCluster.node(A.text()).build());
    scheduler.drain(A, "lapwing-drain 1764000000-7");
    cordon(null);
    assertThat(scheduler.drain(A, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(state().heldFor(OURS)).isTrue();
    assertThat(node().getSpec().getTaints()).hasSize(1);
    scheduler.resume(A, OURS);
    assertThat(node().getSpec().getUnschedulable()).isNull();
    assertThat(node().getMetadata().getAnnotations()).isNullOrEmpty();
  }

  @Test
  void aCordonThatIsNotOursByTheAnnotationStays() {
    exists(MadeCluster.node(A.text()).build());
    scheduler.drain(A, OURS);
    client
        .nodes()
        .withName(A.text())
        .edit(
            node ->
                new NodeBuilder(node)
                    .editMetadata()
                    .removeFromAnnotations("lapwing.io/drain-undo")
                    .endMetadata()
                    .build());
    assertThat(state().heldFor(OURS)).isTrue();
    assertThat(scheduler.resume(A, OURS)).isEqualTo(CommandResult.ACCEPTED);
    assertThat(node().getSpec().getUnschedulable()).isTrue();
    assertThat(state().reason()).isEqualTo("cordoned");
  }

  @Test
  void theRegistrationIsKnownByItsUid() {
    exists(MadeCluster.node(A.text()).editMetadata().withUid("7e4d-1").endMetadata().build());
    assertThat(state().more().registration()).isEqualTo(node().getMetadata().getUid()).isNotEmpty();
  }

  @Test
  void theBootIsKnownByItsId() {
    exists(
        MadeCluster.node(A.text())
            .editStatus()
            .withNewNodeInfo()
            .withBootID("1b4e28ba-2fa1-11d2-883f-0016d3cca427")
            .endNodeInfo()
            .endStatus()
            .build());
    assertThat(state().more().bootId()).isEqualTo("1b4e28ba-2fa1-11d2-883f-0016d3cca427");
  }

  @Test
  void aNodeOfAnotherProgramIsTheirs() {
    Node node =
        MadeCluster.node(A.text())
            .editMetadata()
            .addToLabels(
                "sagemaker.amazonaws.com/node-health-status", "UnschedulablePendingReplacement")
            .endMetadata()
            .build();
    exists(node);
    assertThat(state().service()).isEqualTo(Service.OUT);
    assertThat(state().more().heldBy()).isEqualTo("HyperPod (UnschedulablePendingReplacement)");
    assertThat(why(scheduler.drain(A, OURS))).contains("HyperPod");
  }

  /** Also while nobody is at work on it: what may happen is a part of each decision. */
  @Test
  void whoElseMayRepairANodeIsNamed() {
    NodeBuilder made = MadeCluster.node(A.text());
    exists(made.build());
    assertThat(state().others())
        .containsExactly(
            "EKS replaces or reboots the node by its conditions, where auto repair of its node"
                + " group is on");
    client
        .resource(
            made.editMetadata()
                .addToLabels("karpenter.sh/nodepool", "gpus")
                .addToLabels("sagemaker.amazonaws.com/node-health-status", "Schedulable")
                .addToLabels("k8saas.nvidia.com/ManagedByNVSentinel", "true")
                .addToAnnotations("weave.works/kured-most-recent-reboot-needed", "2026-11-25")
                .endMetadata()
                .editSpec()
                .addNewTaint("PreferNoSchedule", "DeletionCandidateOfClusterAutoscaler", null, "1")
                .endSpec()
                .editStatus()
                .addNewCondition()
                .withType("AcceleratedHardwareReady")
                .withStatus("False")
                .withLastTransitionTime("2026-11-25T12:00:00Z")
                .endCondition()
                .addNewCondition()
                .withType("StorageReady")
                .withStatus("False")
                .withLastTransitionTime("2026-11-25T11:50:00Z")
                .endCondition()
                .endStatus()
                .build())
        .update();
    assertThat(state().others())
        .containsExactly(
            "Karpenter deletes the node from 2026-11-25T12:10:00Z on (AcceleratedHardwareReady is"
                + " False), where its NodeRepair is on",
            "EKS replaces or reboots the node (AcceleratedHardwareReady is False), where auto"
                + " repair of its node group is on",
            "HyperPod replaces or reboots the node after its own health checks, where its node"
                + " recovery is automatic",
            "NVSentinel cordons, drains and repairs the node after its own health checks",
            "the Cluster Autoscaler deletes the node, which it calls unneeded",
            "kured reboots the node when its system asks for it");
    assertThat(state().service()).isEqualTo(Service.IN_SERVICE);
  }

  @Test
  void aConditionWithoutATimeDelaysNothing() {
    exists(
        MadeCluster.node(A.text())
            .editMetadata()
            .addToLabels("karpenter.sh/nodepool", "gpus")
            .endMetadata()
            .editStatus()
            .addNewCondition()
            .withType("KernelReady")
            .withStatus("False")
            .withLastTransitionTime("yesterday")
            .endCondition()
            .endStatus()
            .build());
    assertThat(state().others())
        .first()
        .asString()
        .contains("when a condition of it is false for 10 or 30 minutes");
  }

  @Test
  void theReasonOfAnotherRemediationIsNotOurs() {
    exists(MadeCluster.node(A.text()).build());
    scheduler.drain(A, "lapwing-drain 1764000000-7");
    assertThat(why(scheduler.drain(A, OURS))).contains("lapwing-drain 1764000000-7");
    assertThat(why(scheduler.resume(A, OURS))).contains("not out of service for " + OURS);
  }

  @Test
  void theConditionKeepsTheTimeOfItsTransition() {
    exists(MadeCluster.node(A.text()).build());
    scheduler.drain(A, OURS);
    now = now.plusSeconds(600);
    new ConditionWriter(client, () -> now, warnings::add).write(A, true, OURS);
    NodeCondition condition = condition();
    assertThat(condition.getStatus()).isEqualTo("True");
    assertThat(condition.getMessage()).isEqualTo(OURS);
    assertThat(condition.getLastTransitionTime()).isEqualTo("2026-11-25T12:00:00Z");
    assertThat(condition.getLastHeartbeatTime()).isEqualTo("2026-11-25T12:10:00Z");
    scheduler.resume(A, OURS);
    assertThat(condition().getStatus()).isEqualTo("False");
  }

  private NodeCondition condition() {
    return NodeReading.conditions(node()).stream()
        .filter(one -> one.getType().equals(ConditionWriter.TYPE))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aNodeThatIsGoneIsRefused() {
    assertThat(why(scheduler.drain(A, OURS))).isEqualTo("the API server has no such node");
  }

  @Test
  void aServerThatDoesNotAnswerCannotBeSeen() {
    api.server.shutdown();
    assertThat(scheduler.view()).isInstanceOf(CannotSee.class);
    assertThat(scheduler.drain(A, OURS)).isInstanceOf(CommandResult.Unclear.class);
  }
}
