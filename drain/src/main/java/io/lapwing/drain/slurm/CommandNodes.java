package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.exec.Outcome;
import io.lapwing.drain.exec.Outcome.Exited;
import java.util.ArrayList;
import java.util.List;

/** Nodes by scontrol. Not thread-safe. */
record CommandNodes(SlurmCommands slurm, NodeTable all) implements NodeAccess {

  CommandNodes(SlurmCommands slurm) {
    this(slurm, new NodeTable());
  }

  @Override
  public String program() {
    return "scontrol";
  }

  @Override
  public List<SlurmNode> read() throws UnreadableAnswer {
    slurm.askScontrol(all.next(), "--all", "--oneliner", "show", "node");
    return all.nodes();
  }

  @Override
  public List<SlurmNode> read(NodeName name) throws UnreadableAnswer {
    return NodeTable.parse(slurm.askScontrol("--all", "--oneliner", "show", "node", name.text()));
  }

  @Override
  public Reply update(NodeName name, List<String> settings) {
    List<String> arguments = new ArrayList<>(List.of("update", "NodeName=" + name));
    arguments.addAll(settings);
    return command(slurm, arguments);
  }

  static Reply command(SlurmCommands slurm, List<String> arguments) {
    Outcome outcome = slurm.tell(arguments);
    boolean done = outcome instanceof Exited exited && exited.code() == 0;
    return new Reply(
        SlurmCommands.refused(outcome),
        done ? "scontrol reported success" : "scontrol " + SlurmCommands.words(outcome));
  }
}
