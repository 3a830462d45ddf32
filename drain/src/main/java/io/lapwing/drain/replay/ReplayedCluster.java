package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.JobEnder;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.Scheduler;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.jobs.CheckpointFacts;
import io.lapwing.drain.jobs.JobProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** The recorded cluster in virtual time. Agents and scheduler always answer. */
final class ReplayedCluster implements Scheduler, Repairs, HealthReader, JobEnder, CheckpointFacts {

  private final Assumed assumed;
  private final Trial trial;
  private final Map<NodeName, ReplayedNode> nodes = new TreeMap<>();
  private final Set<ReplayedNode> held = new HashSet<>();
  private final Set<ReplayedNode> repairing = new HashSet<>();
  private final ReplayedJobs jobs;
  private Map<NodeName, NodeState> shown = new HashMap<>();
  private Instant now;
  private double idleGpuHours;
  private double idleForPeople;

  ReplayedCluster(Recording recording, Assumed assumed, Trial trial) {
    this.assumed = assumed;
    this.trial = trial;
    this.now = recording.from();
    this.jobs = new ReplayedJobs(recording.jobs());
    recording.nodes().forEach(this::add);
    for (int i = 1; i <= recording.unnamed(); i++) {
      NodeName name = new NodeName("unnamed-" + i);
      add(new RecordedNode(name, now, OptionalInt.empty(), List.of(), List.of(), false));
    }
    nodes.values().forEach(node -> shown.put(node.name(), node.state()));
  }

  private void add(RecordedNode node) {
    nodes.put(node.name(), new ReplayedNode(node, assumed.gpus()));
  }

  ReplayedNode node(NodeName name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  /** GPU hours of nodes that were out of service without any job. */
  double idleGpuHours() {
    return idleGpuHours;
  }

  /** Those of them in which a person had to act. */
  double idleForPeople() {
    return idleForPeople;
  }

  /**
   * Advances the time.
   *
   * @param forPeople nodes that wait for a person meanwhile
   */
  void advance(Instant next, Set<NodeName> forPeople) {
    double hours = new Span(now, next).time().toMillis() / 3_600_000.0;
    for (ReplayedNode node : held) {
      double idle = jobs.runsOn(node.name()) ? 0 : hours * node.gpus();
      idleGpuHours += idle;
      idleForPeople += forPeople.contains(node.name()) ? idle : 0;
    }
    now = next;
    for (ReplayedNode node : List.copyOf(repairing)) {
      if (node.ends(now)) {
        repairing.remove(node);
        show(node);
      }
    }
    jobs.advance(now, name -> node(name).inService());
  }

  /** A view keeps the map that it has got. */
  private void show(ReplayedNode node) {
    shown = new HashMap<>(shown);
    shown.put(node.name(), node.state());
  }

  @Override
  public Seen view() {
    return new View(new ClusterView(now, shown, jobs.running()));
  }

  @Override
  public CommandResult drain(NodeName name, String reason) {
    ReplayedNode node = node(name);
    node.take(reason);
    held.add(node);
    show(node);
    return CommandResult.ACCEPTED;
  }

  @Override
  public boolean drainReplaces() {
    return trial.drainReplaces();
  }

  @Override
  public CommandResult resume(NodeName name, String reason) {
    ReplayedNode node = node(name);
    node.giveBack();
    held.remove(node);
    show(node);
    return CommandResult.ACCEPTED;
  }

  @Override
  public CommandResult begin(Repair repair) {
    ReplayedNode node = node(repair.node().name());
    Remedy remedy = repair.remedy();
    node.begin(remedy, now.plus(assumed.takes().getOrDefault(remedy, Duration.ZERO)));
    repairing.add(node);
    show(node);
    return CommandResult.ACCEPTED;
  }

  @Override
  public Progress progress(Remedy remedy, NodeState state, String reason) {
    return node(state.name()).answers() ? Progress.UNKNOWN : Progress.RUNNING;
  }

  @Override
  public Answer ask(NodeName name) {
    ReplayedNode node = node(name);
    return node.answers() ? new Answered(node.health(now)) : new Silent("being repaired");
  }

  @Override
  public CommandResult end(Job job, NodeName node, String reason) {
    if (!trial.endsJobs()) {
      return new Refused("no driver ends jobs");
    }
    jobs.end(job.id());
    return CommandResult.ACCEPTED;
  }

  @Override
  public JobProgress of(Job job) {
    return jobs.progress(job.id(), now);
  }
}
