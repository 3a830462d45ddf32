package io.lapwing.drain.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.Scheduler.Other;
import io.lapwing.drain.kubernetes.Evictions.Evicted;
import io.lapwing.drain.kubernetes.Evictions.Impossible;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The pods without GPUs on a node, which a reboot would kill. Those of DaemonSets and of the
 * kubelet stay, and nodes of a Slurm that are drained.
 */
record OtherPods(KubernetesClient client, Evictions evictions) {

  List<Other> on(NodeName node) {
    try {
      return read(node).stream().map(pod -> new Other(pod.words(), pod.ends())).toList();
    } catch (KubernetesClientException e) {
      return List.of(new Other("unknown: " + Failures.words(e), Optional.empty()));
    }
  }

  /** Each for itself: what may leave does so while another one is blocked. */
  CommandResult evict(NodeName node, Instant before) {
    List<Evictions.Answer> not = new ArrayList<>();
    try {
      for (NodePod pod : read(node)) {
        Evictions.Answer answer =
            pod.created().filter(at -> at.isAfter(before)).isPresent()
                ? new Impossible(
                    pod.words() + " was started again on the node: it tolerates drains")
                : evictions.evict(pod);
        if (!(answer instanceof Evicted)) {
          not.add(answer);
        }
      }
    } catch (KubernetesClientException e) {
      return new NotYet(Failures.words(e));
    }
    if (not.isEmpty()) {
      return CommandResult.ACCEPTED;
    }
    String why = not.stream().map(Evictions.Answer::why).collect(Collectors.joining("; "));
    return not.stream().allMatch(Impossible.class::isInstance) ? new Refused(why) : new NotYet(why);
  }

  private List<NodePod> read(NodeName node) {
    List<NodePod> pods = new ArrayList<>();
    Pages.each(
        client.pods().inAnyNamespace(),
        NodePod.NOT_OVER + ",spec.nodeName=" + node,
        pod -> NodePod.of(pod).filter(one -> !one.holdsGpus()).ifPresent(pods::add));
    return pods;
  }
}
