package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.exec.Outcome;
import io.lapwing.drain.exec.Outcome.Exited;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** Reads and changes Slurm's nodes; one node a command, since a refused one is applied in part. */
final class SlurmNodes {

  private final SlurmCommands slurm;

  SlurmNodes(SlurmCommands slurm) {
    this.slurm = slurm;
  }

  /** All nodes, also those of hidden partitions. */
  Map<NodeName, SlurmNode> all() throws UnreadableAnswer {
    Map<NodeName, SlurmNode> nodes = read(slurm.askScontrol("--all", "--oneliner", "show", "node"));
    if (nodes.isEmpty()) {
      throw new UnreadableAnswer("scontrol lists no node");
    }
    return nodes;
  }

  /** One node, and surely that one. */
  SlurmNode one(NodeName name) throws UnreadableAnswer {
    if (name.text().equalsIgnoreCase("ALL")) {
      throw new UnreadableAnswer("scontrol takes " + name + " for all nodes");
    }
    Map<NodeName, SlurmNode> nodes =
        read(slurm.askScontrol("--all", "--oneliner", "show", "node", name.text()));
    SlurmNode node = nodes.get(name);
    if (node == null || nodes.size() != 1) {
      throw new UnreadableAnswer("scontrol shows other nodes than " + name);
    }
    return node;
  }

  private static Map<NodeName, SlurmNode> read(String text) throws UnreadableAnswer {
    Map<NodeName, SlurmNode> nodes = new TreeMap<>();
    for (String line : NodeLine.split(text)) {
      SlurmNode node = NodeLine.parse(line);
      if (nodes.put(node.name(), node) != null) {
        throw new UnreadableAnswer("scontrol lists a node twice", line);
      }
    }
    return nodes;
  }

  /** Does something to a node that is still ours, as it is right now. */
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

  /** {@code scontrol update} of one node. */
  CommandResult update(NodeName name, Predicate<SlurmNode> done, List<String> settings) {
    List<String> arguments = new ArrayList<>(List.of("update", "NodeName=" + name));
    arguments.addAll(settings);
    return change(name, done, arguments);
  }

  /**
   * Has scontrol change a node, and then says what is true, whatever scontrol said.
   *
   * @param done whether the node is as it should be
   */
  CommandResult change(NodeName name, Predicate<SlurmNode> done, List<String> arguments) {
    Outcome outcome = slurm.tell(arguments);
    SlurmNode after;
    try {
      after = one(name);
    } catch (UnreadableAnswer e) {
      return new Unclear("the node cannot be read after the command: " + e.why());
    }
    if (done.test(after)) {
      return CommandResult.ACCEPTED;
    }
    String is = "; the node is " + after.state() + reason(after);
    if (SlurmCommands.refused(outcome)) {
      return new Refused("scontrol " + SlurmCommands.words(outcome) + is);
    }
    boolean said = outcome instanceof Exited exited && exited.code() == 0;
    return new Unclear(
        (said ? "scontrol reported success" : "scontrol " + SlurmCommands.words(outcome)) + is);
  }

  static String reason(SlurmNode node) {
    return node.reason().isEmpty() ? "" : " (" + node.reason() + ")";
  }
}
