package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.slurm.NodeAccess.Reply;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Reads and changes Slurm's nodes; one node a command, since a refused one is applied in part. */
final class SlurmNodes {

  private final NodeAccess slurm;
  private List<SlurmNode> last = List.of();
  private Map<NodeName, SlurmNode> lastByName = Map.of();

  /** Read when it is first needed. */
  private Set<String> slurmUser = Set.of();

  SlurmNodes(NodeAccess slurm) {
    this.slurm = slurm;
  }

  SlurmNodes(SlurmCommands slurm) {
    this(new CommandNodes(slurm));
  }

  /** All nodes, also those of hidden partitions. The same map if nothing has changed. */
  Map<NodeName, SlurmNode> all() throws UnreadableAnswer {
    List<SlurmNode> nodes = slurm.read();
    if (nodes.isEmpty()) {
      throw new UnreadableAnswer(slurm.program() + " lists no node");
    }
    if (nodes != last) {
      lastByName = byName(nodes);
      last = nodes;
    }
    return lastByName;
  }

  /** One node, and surely that one. */
  SlurmNode one(NodeName name) throws UnreadableAnswer {
    if (name.text().equalsIgnoreCase("ALL")) {
      throw new UnreadableAnswer(slurm.program() + " takes " + name + " for all nodes");
    }
    Map<NodeName, SlurmNode> nodes = byName(slurm.read(name));
    SlurmNode node = nodes.get(name);
    if (node == null || nodes.size() != 1) {
      throw new UnreadableAnswer(slurm.program() + " shows other nodes than " + name);
    }
    return node;
  }

  private Map<NodeName, SlurmNode> byName(List<SlurmNode> all) throws UnreadableAnswer {
    Map<NodeName, SlurmNode> nodes = new TreeMap<>();
    for (SlurmNode node : all) {
      if (nodes.put(node.name(), withAuthor(node)) != null) {
        throw new UnreadableAnswer(slurm.program() + " lists a node twice", node.name().text());
      }
    }
    return nodes;
  }

  /** Without an answer the owner is unknown: otherwise the node would count as taken over. */
  private SlurmNode withAuthor(SlurmNode node) throws UnreadableAnswer {
    if (node.bySlurm() || !SlurmPlatform.hasWordsOfSlurm(node)) {
      return node;
    }
    if (slurmUser.isEmpty()) {
      slurmUser = slurm.slurmUser();
    }
    return slurmUser.contains(node.reasonBy()) ? node.writtenBySlurm() : node;
  }

  /** Changes a node if it is still ours, by its current state. */
  CommandResult ifHeld(
      NodeName name,
      String reason,
      SlurmPlatform platform,
      Function<SlurmNode, CommandResult> command) {
    SlurmNode now;
    try {
      now = one(name);
    } catch (UnreadableAnswer e) {
      return new NotYet("nothing was done: " + e.why());
    }
    return platform.state(now).heldFor(reason)
        ? command.apply(now)
        : new Refused("it is " + now.state() + reason(now));
  }

  /** Changes one node by its settings, such as {@code State=DRAIN}. */
  CommandResult update(NodeName name, Predicate<SlurmNode> done, List<String> settings) {
    return change(name, done, () -> slurm.update(name, settings));
  }

  /**
   * Has Slurm change a node, and returns its state afterwards, whatever Slurm answered.
   *
   * @param done whether the node is as it should be
   */
  CommandResult change(NodeName name, Predicate<SlurmNode> done, Supplier<Reply> command) {
    Reply reply = command.get();
    SlurmNode after;
    try {
      after = one(name);
    } catch (UnreadableAnswer e) {
      return new Unclear("the node cannot be read after the command: " + e.why());
    }
    if (done.test(after)) {
      return CommandResult.ACCEPTED;
    }
    String words = reply.words() + "; the node is " + after.state() + reason(after);
    return reply.refused() ? new Refused(words) : new Unclear(words);
  }

  static String reason(SlurmNode node) {
    return node.reason().isEmpty() ? "" : " (" + node.reason() + ")";
  }
}
