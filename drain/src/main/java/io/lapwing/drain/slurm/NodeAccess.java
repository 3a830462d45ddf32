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

  /** Name and number of the account as which slurmctld runs; empty if Slurm does not report it. */
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
   * Slurm's answer to a command. Only the node shows whether it was carried out.
   *
   * @param refused whether Slurm refused it, as opposed to success or no answer
   * @param words {@code scontrol reported success}
   */
  record Reply(boolean refused, String words) {}
}
