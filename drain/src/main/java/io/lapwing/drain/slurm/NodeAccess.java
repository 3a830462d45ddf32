package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.NodeName;
import java.util.List;
import java.util.Set;

/** Reads and changes Slurm's nodes, by its own programs or by slurmrestd. */
interface NodeAccess {

  /** By what, for messages: {@code scontrol}. */
  String program();

  /** All nodes, also those of hidden partitions. */
  List<SlurmNode> read() throws UnreadableAnswer;

  /** What Slurm shows of that name. */
  List<SlurmNode> read(NodeName name) throws UnreadableAnswer;

  /** Name and number of the account as which slurmctld runs; empty where Slurm does not say it. */
  default Set<String> slurmUser() throws UnreadableAnswer {
    return Set.of();
  }

  /**
   * Changes a node.
   *
   * @param settings {@code State=DRAIN}, {@code Reason=any text}, {@code Comment=any text}
   */
  Reply update(NodeName name, List<String> settings);

  /**
   * What Slurm said to a command. Only the node shows whether it was carried out.
   *
   * @param refused whether it said no, as opposed to yes or nothing
   * @param words {@code scontrol reported success}
   */
  record Reply(boolean refused, String words) {}
}
