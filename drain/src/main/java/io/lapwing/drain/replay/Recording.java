package io.lapwing.drain.replay;

import java.time.Instant;
import java.util.List;

/**
 * A record, from all of its files.
 *
 * @param nodes all that they name
 * @param unnamed how many more the cluster had, all healthy
 * @param asks findings or alerts that require an action
 * @param unconfirmed findings that are left out, since NVML did not confirm them
 */
public record Recording(
    Instant from,
    Instant until,
    List<RecordedNode> nodes,
    int unnamed,
    List<Finding> asks,
    List<RecordedJob> jobs,
    long unconfirmed) {

  public Recording {
    nodes = List.copyOf(nodes);
    asks = List.copyOf(asks);
    jobs = List.copyOf(jobs);
  }

  /** All nodes of the cluster. */
  public int size() {
    return nodes.size() + unnamed;
  }

  /** Nodes with an event log of their agent. */
  public long logs() {
    return nodes.stream().filter(RecordedNode::logged).count();
  }

  /** Whether the record lacks the GPUs of a node. */
  public boolean lacksGpus() {
    return unnamed > 0 || nodes.stream().anyMatch(node -> node.gpus().isEmpty());
  }

  /** How long the nodes were watched, all together. */
  public double nodeDays() {
    double named = nodes.stream().mapToDouble(node -> days(node.from())).sum();
    return named + unnamed * days(from);
  }

  private double days(Instant since) {
    return new Span(since, until).time().toMillis() / 86_400_000.0;
  }
}
