package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** Nodes and pods as EKS and its operators make them. */
final class MadeCluster {

  private MadeCluster() {}

  /** A p5 of node group train, ready. */
  static NodeBuilder node(String name) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels("eks.amazonaws.com/nodegroup", "train")
        .addToLabels("node.kubernetes.io/instance-type", "p5.48xlarge")
        .addToLabels("nvidia.com/gpu.present", "true")
        .endMetadata()
        .withNewSpec()
        .withProviderID("aws:///us-east-1a/i-0123456789abcdef0")
        .endSpec()
        .withNewStatus()
        .addToCapacity("nvidia.com/gpu", new Quantity("8"))
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus();
  }

  /** A node without GPUs. */
  static Node plain(String name) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels("node.kubernetes.io/instance-type", "m7i.large")
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  /** A running pod of a job, with all GPUs of its node. */
  static PodBuilder pod(String name, String node, Map<String, String> labels) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("ml")
        .withName(name)
        .withUid("uid-" + name)
        .withLabels(labels)
        .addNewOwnerReference()
        .withKind("Job")
        .withName("any")
        .withUid("uid-owner")
        .withApiVersion("batch/v1")
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withNodeName(node)
        .addNewContainer()
        .withName("main")
        .withNewResources()
        .addToLimits("nvidia.com/gpu", new Quantity("8"))
        .endResources()
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .endStatus();
  }

  /** The same pod, of a DaemonSet. */
  static Pod daemon(String name, String node) {
    return pod(name, node, Map.of())
        .editMetadata()
        .editFirstOwnerReference()
        .withKind("DaemonSet")
        .endOwnerReference()
        .endMetadata()
        .build();
  }
}
