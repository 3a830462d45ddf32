package io.lapwing.drain.kubernetes;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.JobEnder;
import io.lapwing.drain.cluster.JobQueue;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Scheduler;
import io.lapwing.drain.kubernetes.Evictions.Blocked;
import io.lapwing.drain.kubernetes.Evictions.Evicted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Nodes with GPUs and the jobs of pods that hold them. A node is taken by a cordon and a taint;
 * pods keep running, unless {@link #end} evicts those of a job, or {@link #evictOthers} the others.
 * Every change names the version of the node that was read, so that the server refuses it if the
 * node has changed since.
 */
public final class KubernetesScheduler implements Scheduler, JobEnder, JobQueue {

  /** Of the API server: it answers in milliseconds, or not. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final KubernetesClient client;
  private final InstantSource clock;
  private final PodWatch pods;
  private final Evictions evictions;
  private final OtherPods others;
  private final ConditionWriter conditions;
  private final ForeignTaints taints;

  /** The node groups of the last view: a job that names none may run in any. */
  private volatile Set<String> groups = Set.of();

  /**
   * @param permanentTaints keys of taints that nodes always have, which do not mean that it is
   *     taken
   * @param warnings for the log: failures without a consequence for the node
   */
  public KubernetesScheduler(
      KubernetesClient client,
      Set<String> permanentTaints,
      InstantSource clock,
      Consumer<String> warnings) {
    this.client = client;
    this.taints = new ForeignTaints(permanentTaints);
    this.clock = clock;
    this.pods = new PodWatch(client, clock, warnings);
    this.evictions = new Evictions(client);
    this.others = new OtherPods(client, evictions);
    this.conditions = new ConditionWriter(client, clock, warnings);
  }

  /**
   * As the pod's service account or the user's configuration says. It never repeats a request: a
   * full disruption budget is an answer, and the next round shows what is unclear.
   */
  public static KubernetesClient connect(Config found) {
    return connect(found, TIMEOUT);
  }

  /** The same with another limit for each request. */
  public static KubernetesClient connect(Config found, Duration timeout) {
    ObjectMapper json = new ObjectMapper();
    json.addMixIn(ObjectMeta.class, WithoutManagedFields.class);
    return new KubernetesClientBuilder()
        .withKubernetesSerialization(new KubernetesSerialization(json, true))
        .withConfig(
            new ConfigBuilder(found)
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout((int) timeout.toMillis())
                .withConnectionTimeout((int) timeout.toMillis())
                .build())
        .build();
  }

  /** A large part of each object. The server keeps them where an update has none. */
  @JsonIgnoreProperties("managedFields")
  private interface WithoutManagedFields {}

  @Override
  public Seen view() {
    return view(pods::list, true);
  }

  @Override
  public Seen latest() {
    return view(pods::latest, false);
  }

  private Seen view(Supplier<List<NodePod>> pods, boolean complete) {
    try {
      var at = clock.instant();
      List<NodeState> nodes = new ArrayList<>();
      Pages.each(
          client.nodes(),
          null,
          node -> {
            if (NodeReading.hasGpus(node)) {
              NodeReading.of(node, taints).ifPresent(nodes::add);
            }
          });
      groups = nodes.stream().flatMap(node -> node.groups().stream()).collect(Collectors.toSet());
      Set<NodeName> ready =
          nodes.stream()
              .filter(NodeState::registered)
              .map(NodeState::name)
              .collect(Collectors.toSet());
      List<NodePod> working =
          pods.get().stream().filter(pod -> !pod.hangs(at) || !ready.contains(pod.node())).toList();
      return new View(ClusterView.of(at, nodes, jobs(working)), complete);
    } catch (KubernetesClientException e) {
      return new CannotSee(Failures.words(e));
    }
  }

  private static List<Job> jobs(List<NodePod> pods) {
    Map<String, List<NodePod>> jobs = new LinkedHashMap<>();
    for (NodePod pod : pods) {
      jobs.computeIfAbsent(pod.job(), unseen -> new ArrayList<>(1)).add(pod);
    }
    return jobs.entrySet().stream().map(job -> job(job.getKey(), job.getValue())).toList();
  }

  private static Job job(String id, List<NodePod> pods) {
    return Job.ofPods(
        id,
        pods.stream().map(NodePod::node).collect(Collectors.toSet()),
        pods.stream().mapToInt(NodePod::gpus).sum(),
        pods.stream().map(NodePod::uid).collect(Collectors.toSet()));
  }

  @Override
  public CommandResult drain(NodeName name, String reason) {
    return change(
        name,
        node -> {
          Optional<NodeState> state = NodeReading.of(node, taints);
          if (state.isEmpty() || state.get().service() == Service.IN_SERVICE) {
            return new Change(NodeMarks.taken(node, reason), true);
          }
          return new Settled(
              state.get().heldFor(reason)
                  ? CommandResult.ACCEPTED
                  : new Refused("another user has taken the node: " + state.get().reason()));
        },
        reason);
  }

  @Override
  public CommandResult resume(NodeName name, String reason) {
    return change(
        name,
        node -> {
          Optional<String> ours = NodeMarks.reason(node);
          if (ours.isPresent() && ours.get().equals(reason)) {
            return new Change(NodeMarks.released(node), false);
          }
          boolean inService =
              NodeReading.of(node, taints)
                  .filter(state -> state.service() == Service.IN_SERVICE)
                  .isPresent();
          return new Settled(
              inService
                  ? CommandResult.ACCEPTED
                  : new Refused("it is not out of service for " + reason));
        },
        reason);
  }

  /** Also if it was cordoned again meanwhile: that cordon is another party's. */
  @Override
  public CommandResult letGo(NodeName name, String reason) {
    return change(
        name,
        node ->
            NodeMarks.written(node).filter(reason::equals).isPresent()
                ? new Change(NodeMarks.letGo(node), false)
                : new Settled(CommandResult.ACCEPTED),
        reason);
  }

  /** The changes to a node as it was read. */
  private interface Decision {
    Decided on(Node node);
  }

  private sealed interface Decided {}

  private record Change(Node node, boolean held) implements Decided {}

  private record Settled(CommandResult result) implements Decided {}

  private CommandResult change(NodeName name, Decision decision, String reason) {
    try {
      Node node = client.nodes().withName(name.text()).get();
      if (node == null) {
        return new Refused("the API server has no such node");
      }
      Decided decided = decision.on(node);
      if (decided instanceof Settled settled) {
        return settled.result();
      }
      Change change = (Change) decided;
      client
          .resource(change.node())
          .lockResourceVersion(node.getMetadata().getResourceVersion())
          .update();
      conditions.write(name, change.held(), reason);
      return CommandResult.ACCEPTED;
    } catch (KubernetesClientException e) {
      return Failures.result(e);
    }
  }

  @Override
  public JobQueue.Answer queue() {
    try {
      return new Queue(new WaitingJobs(client, groups).read());
    } catch (KubernetesClientException e) {
      return new Unreadable(Failures.words(e));
    }
  }

  /** Evicts the pods of a job that hold GPUs, if a forecast shows that all of them may leave. */
  @Override
  public CommandResult end(Job job, NodeName node, String reason) {
    try {
      List<NodePod> ofJob = pods.list().stream().filter(pod -> pod.job().equals(job.id())).toList();
      if (ofJob.stream().noneMatch(pod -> pod.node().equals(node) && !pod.isTerminating())) {
        return new NotYet("its pods on the node are ending already");
      }
      Optional<String> tooMany = evictions.tooMany(ofJob);
      if (tooMany.isPresent()) {
        return new Refused("blocked: " + tooMany.get());
      }
      for (NodePod pod : ofJob) {
        Evictions.Answer forecast = evictions.forecast(pod);
        if (!(forecast instanceof Evicted)) {
          return before(result(forecast));
        }
      }
      for (NodePod pod : ofJob) {
        Evictions.Answer answer = evictions.evict(pod);
        if (!(answer instanceof Evicted)) {
          return new Unclear("evicted in part: " + words(result(answer)));
        }
      }
      return CommandResult.ACCEPTED;
    } catch (KubernetesClientException e) {
      return before(Failures.result(e)); // an eviction that fails does not throw
    }
  }

  /** An unclear answer before any eviction. */
  private static CommandResult before(CommandResult result) {
    return result instanceof Unclear unclear
        ? new NotYet("nothing was evicted: " + unclear.why())
        : result;
  }

  @Override
  public List<Other> others(NodeName node) {
    return others.on(node);
  }

  @Override
  public CommandResult evictOthers(NodeName node, Instant before) {
    return others.evict(node, before);
  }

  /** The pods with GPUs on a node that an eviction would not remove now, by a dry run. */
  @Override
  public List<String> blockers(NodeName node) {
    try {
      return pods.list().stream()
          .filter(pod -> pod.node().equals(node))
          .map(evictions::forecast)
          .filter(answer -> !(answer instanceof Evicted))
          .map(answer -> words(result(answer)))
          .toList();
    } catch (KubernetesClientException e) {
      return List.of("unknown: " + Failures.words(e));
    }
  }

  private static String words(CommandResult result) {
    return result instanceof Refused refused ? refused.why() : ((Unclear) result).why();
  }

  private static CommandResult result(Evictions.Answer answer) {
    if (answer instanceof Blocked blocked) {
      return new Refused("blocked: " + blocked.why());
    }
    return answer instanceof Evictions.Impossible never
        ? new Refused(never.why())
        : new Unclear(((Evictions.Unknown) answer).why());
  }
}
