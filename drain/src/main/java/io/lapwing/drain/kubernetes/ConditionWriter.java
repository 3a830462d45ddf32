package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.lapwing.drain.cluster.NodeName;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A condition of our own on a node that is held, for people and for operators that copy conditions,
 * as Slinky's does. One type and one time of transition: the reasons are in the message, since
 * other programs act on a condition that has not changed for some time.
 */
final class ConditionWriter {

  static final String TYPE = "LapwingDrained";

  private static final int TRIES = 3;

  private final KubernetesClient client;
  private final InstantSource clock;
  private final Consumer<String> warnings;

  ConditionWriter(KubernetesClient client, InstantSource clock, Consumer<String> warnings) {
    this.client = client;
    this.clock = clock;
    this.warnings = warnings;
  }

  /** A failure has no consequence: the cordon and the taint hold the node. */
  void write(NodeName name, boolean held, String reason) {
    try {
      for (int tries = 0; tries < TRIES; tries++) {
        if (isWritten(name, held, reason)) {
          return;
        }
      }
      warnings.accept("the condition of node " + name + " is not written: it changes too often");
    } catch (KubernetesClientException e) {
      warnings.accept("the condition of node " + name + " is not written: " + Failures.words(e));
    }
  }

  /** Not if the kubelet has written its own status in between. */
  private boolean isWritten(NodeName name, boolean held, String reason) {
    Node node = client.nodes().withName(name.text()).get();
    if (node == null) {
      return true;
    }
    List<NodeCondition> all = new ArrayList<>(NodeReading.conditions(node));
    NodeCondition ours = condition(node, held, reason);
    all.removeIf(one -> one.getType().equals(TYPE));
    all.add(ours);
    try {
      client
          .resource(new NodeBuilder(node).editOrNewStatus().withConditions(all).endStatus().build())
          .updateStatus();
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  private NodeCondition condition(Node node, boolean held, String reason) {
    String status = held ? "True" : "False";
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    NodeCondition condition = new NodeCondition();
    condition.setType(TYPE);
    condition.setStatus(status);
    condition.setReason(held ? "TakenOutOfService" : "NotHeld");
    condition.setMessage(reason);
    condition.setLastHeartbeatTime(now);
    condition.setLastTransitionTime(
        NodeReading.conditions(node).stream()
            .filter(one -> one.getType().equals(TYPE) && one.getStatus().equals(status))
            .map(NodeCondition::getLastTransitionTime)
            .findFirst()
            .orElse(now));
    return condition;
  }
}
