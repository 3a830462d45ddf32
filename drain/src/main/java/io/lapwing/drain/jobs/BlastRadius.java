package io.lapwing.drain.jobs;

import io.lapwing.common.text.PlainText;
import io.lapwing.drain.cluster.Share;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The effects of a decision about a node, as known when it was made.
 *
 * @param jobs on the node
 * @param shares of its partitions or node groups and its NVLink domain, before the decision
 * @param idle other nodes without jobs in the same partitions or node groups
 * @param blocked what prevents work from leaving the node, in words
 * @param others sentences about other programs that act on the node, or may
 */
public record BlastRadius(
    List<JobAtStake> jobs,
    List<Share> shares,
    int idle,
    List<String> blocked,
    List<String> others) {

  public BlastRadius {
    jobs = List.copyOf(jobs);
    shares = List.copyOf(shares);
    blocked = List.copyOf(blocked);
    others = List.copyOf(others);
  }

  /** For people: {@code job 4711 of ada on 64 nodes loses 102.4 GPU hours now, 80.1 ... }. */
  public String sentence() {
    String spare =
        "; "
            + PlainText.count(idle, "idle node")
            + " beside it"
            + Stream.concat(blocked.stream(), others.stream())
                .map("; "::concat)
                .collect(Collectors.joining());
    return jobs.isEmpty()
        ? "no job is running" + spare
        : jobs.stream().map(BlastRadius::of).collect(Collectors.joining("; ")) + spare;
  }

  private static String of(JobAtStake job) {
    return "job "
        + job.id()
        + (job.user().isEmpty() ? "" : " of " + job.user())
        + " on "
        + PlainText.count(job.nodes(), "node")
        + " loses "
        + job.now()
        + " if it ends now, "
        + job.atCheckpoint()
        + " at its next checkpoint";
  }
}
