package io.lapwing.drain.fake;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.Scheduler;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.health.Remedy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A cluster in memory and in virtual time: scheduler, repairs and agents, with all their faults.
 */
public final class FakeCluster implements Scheduler, Repairs, HealthReader {

  private static final Duration REPAIR = Duration.ofMinutes(4);

  public final Map<NodeName, FakeNode> nodes = new TreeMap<>();
  private final Map<NodeName, Instant> jobEnds = new TreeMap<>();
  public final List<String> violations = new ArrayList<>();
  public final List<String> commands = new ArrayList<>();
  public Instant now = Instant.parse("2026-11-24T00:00:00Z");

  /** Whether the scheduler answers, and whether its answers to commands are lost. */
  public boolean schedulerDown;

  public boolean answersLost;

  private int mostHeld;

  /** Nodes n0000 and so on, in groups of ten. */
  public FakeCluster(int count) {
    for (int i = 0; i < count; i++) {
      NodeName name = new NodeName("n%04d".formatted(i));
      nodes.put(name, new FakeNode(name, "group" + i / 10));
    }
  }

  public FakeNode node(int index) {
    return at(new NodeName("n%04d".formatted(index)));
  }

  private FakeNode at(NodeName name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  /** Breaks a node, so that it needs that; a stronger fault stays. */
  public void breaks(FakeNode node, Remedy remedy) {
    node.needs = node.needs.orStronger(remedy);
  }

  /** What nobody told the controller: it heals. */
  public void heals(FakeNode node) {
    node.needs = Remedy.NONE;
  }

  public void runs(FakeNode node, Duration job) {
    if (node.service == Service.IN_SERVICE) {
      jobEnds.put(node.name, now.plus(job));
    }
  }

  /** A person drains it, or returns it. */
  public void person(FakeNode node, Service service, String reason) {
    node.service = service;
    node.reason = reason;
  }

  public void answers(FakeNode node, boolean answers) {
    node.answers = answers;
  }

  public NodeName name(FakeNode node) {
    return node.name;
  }

  public boolean sick(FakeNode node) {
    return node.needs != Remedy.NONE;
  }

  public Service service(FakeNode node) {
    return node.service;
  }

  public String reason(FakeNode node) {
    return node.reason;
  }

  public void advance(Duration time) {
    now = now.plus(time);
    nodes.values().forEach(node -> node.advance(now));
    jobEnds.values().removeIf(end -> !now.isBefore(end));
  }

  /** The most nodes that were out of service for reasons of the controller. */
  public int mostHeld() {
    return mostHeld;
  }

  @Override
  public Seen view() {
    if (schedulerDown) {
      return new CannotSee("down");
    }
    List<NodeState> states = nodes.values().stream().map(FakeNode::state).toList();
    List<Job> jobs =
        jobEnds.keySet().stream()
            .map(node -> new Job("job-" + node, "ada", Set.of(node), 8))
            .toList();
    return new View(ClusterView.of(now, states, jobs));
  }

  @Override
  public CommandResult drain(NodeName name, String reason) {
    FakeNode node = at(name);
    if (node.service != Service.IN_SERVICE) {
      return node.reason.equals(reason) ? result() : new Refused("it is " + node.service);
    }
    if (!sick(node)) {
      violations.add("a healthy node is drained: " + name);
    }
    commands.add("drain " + name + " " + reason);
    node.service = Service.DRAINED;
    node.reason = reason;
    mostHeld = Math.max(mostHeld, held().size());
    return result();
  }

  @Override
  public CommandResult resume(NodeName name, String reason) {
    FakeNode node = at(name);
    if (node.service == Service.IN_SERVICE) {
      return result();
    }
    if (!node.reason.equals(reason)) {
      return new Refused("it is out of service for " + node.reason);
    }
    if (node.repair.isPresent()) {
      violations.add("a node is returned while it is repaired: " + name);
    }
    commands.add("resume " + name + " " + reason);
    node.service = Service.IN_SERVICE;
    node.reason = "";
    return result();
  }

  @Override
  public CommandResult begin(Remedy remedy, NodeState state, String reason) {
    FakeNode node = at(state.name());
    String command = remedy.word() + " " + node.name + " " + reason;
    if (commands.contains(command)) {
      violations.add("done twice: " + command);
    }
    if (!node.reason.equals(reason)) {
      violations.add("a node of somebody else is repaired: " + command + ": " + node.reason);
    }
    if (jobEnds.containsKey(node.name)) {
      violations.add("a node with a job is repaired: " + command);
    }
    commands.add(command);
    node.repair = Optional.of(remedy);
    node.repaired = now.plus(REPAIR);
    return result();
  }

  /** Nodes out of service for a reason of the controller. */
  public List<FakeNode> held() {
    return nodes.values().stream()
        .filter(node -> node.service != Service.IN_SERVICE)
        .filter(node -> node.reason.startsWith("lapwing-drain "))
        .toList();
  }

  private CommandResult result() {
    return answersLost ? new Unclear("no answer") : CommandResult.ACCEPTED;
  }

  @Override
  public Answer ask(NodeName name) {
    FakeNode node = at(name);
    return node.answers && node.repair.isEmpty()
        ? new Told(node.health(now))
        : new Silent("connection refused");
  }
}
