package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.exec.Outcome;
import io.lapwing.drain.exec.Outcome.Exited;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Nodes by scontrol. Not thread-safe. */
record CommandNodes(SlurmCommands slurm, NodeTable all) implements NodeAccess {

  private static final Pattern SLURM_USER =
      Pattern.compile("^SlurmUser\\s*=\\s*([^\\s(]+)\\((\\d+)\\)", Pattern.MULTILINE);

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

  /** {@code SlurmUser = slurm(64030)}. */
  @Override
  public Set<String> slurmUser() throws UnreadableAnswer {
    Outcome answer = slurm.tell(List.of("show", "config"));
    if (answer instanceof Exited exited && exited.code() == 0) {
      Matcher user = SLURM_USER.matcher(exited.output());
      return user.find() ? Set.of(user.group(1), user.group(2)) : Set.of();
    }
    if (!SlurmCommands.saysNo(answer)) {
      throw new UnreadableAnswer(
          "the account of slurmctld is not known: scontrol " + SlurmCommands.words(answer));
    }
    return Set.of();
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
