package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.JobQueue;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Scheduler;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Slurm, by scontrol and squeue or by slurmrestd. A node is read again right before it is changed,
 * and right after: {@code state=drain} would silently replace the reason of another user.
 */
public final class SlurmScheduler implements Scheduler, JobQueue {

  /** scontrol strips quotes; a line break would end the reason where it is printed. */
  private static final Pattern REASON = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 .:_-]{0,100}");

  private final SlurmNodes nodes;
  private final JobAccess jobs;
  private final NvlinkDomains domains;
  private final SlurmPlatform platform;
  private final Clock clock;
  private Reading last = new Reading(Map.of(), Map.of(), List.of());
  private Optional<ClusterView> lastView = Optional.empty();

  public SlurmScheduler(
      SlurmCommands slurm, NvlinkDomains domains, SlurmPlatform platform, Clock clock) {
    this(new SlurmNodes(slurm), new SlurmJobs(slurm), domains, platform, clock);
  }

  public SlurmScheduler(
      SlurmRest slurm, NvlinkDomains domains, SlurmPlatform platform, Clock clock) {
    this(new SlurmNodes(new RestNodes(slurm)), new RestJobs(slurm), domains, platform, clock);
  }

  private SlurmScheduler(
      SlurmNodes nodes,
      JobAccess jobs,
      NvlinkDomains domains,
      SlurmPlatform platform,
      Clock clock) {
    this.nodes = nodes;
    this.jobs = jobs;
    this.domains = domains;
    this.platform = platform;
    this.clock = clock;
  }

  /**
   * Nodes first: a job that starts in between is seen then. A node that is allocated twice in a row
   * without a job means that jobs are hidden from this account (PrivateData).
   */
  @Override
  public Seen view() {
    try {
      Instant at = clock.instant();
      Reading first = read();
      if (first.unexplained().isEmpty()) {
        return new View(view(first, at));
      }
      Reading second = read();
      Set<NodeName> hidden = second.unexplained();
      hidden.retainAll(first.unexplained());
      return hidden.isEmpty()
          ? new View(view(second, at))
          : new CannotSee(
              "Slurm does not show the jobs on "
                  + Collections.min(hidden)
                  + " and "
                  + (hidden.size() - 1)
                  + " other nodes that are allocated");
    } catch (UnreadableAnswer e) {
      return new CannotSee(e.why());
    }
  }

  private Reading read() throws UnreadableAnswer {
    Map<NodeName, SlurmNode> all = nodes.all();
    return new Reading(all, domains.of(all.values()), jobs.running());
  }

  /** In most rounds nothing has changed. */
  private ClusterView view(Reading reading, Instant at) {
    ClusterView view =
        lastView
            .filter(same -> reading.sameAs(last))
            .map(same -> same.readAgain(at))
            .orElseGet(() -> reading.view(platform, at));
    last = reading;
    lastView = Optional.of(view);
    return view;
  }

  private record Reading(
      Map<NodeName, SlurmNode> nodes, Map<NodeName, String> domains, List<Job> jobs) {

    boolean sameAs(Reading other) {
      return nodes == other.nodes && jobs == other.jobs && domains.equals(other.domains);
    }

    Set<NodeName> unexplained() {
      Set<NodeName> busy =
          nodes.values().stream()
              .filter(SlurmNode::busy)
              .map(SlurmNode::name)
              .collect(Collectors.toCollection(HashSet::new));
      jobs.forEach(job -> job.nodes().forEach(busy::remove));
      return busy;
    }

    ClusterView view(SlurmPlatform platform, Instant at) {
      return ClusterView.of(
          at,
          nodes.values().stream()
              .filter(node -> !node.absent())
              .map(node -> platform.state(node, domains.getOrDefault(node.name(), "")))
              .toList(),
          jobs,
          nodes.values().stream()
              .filter(node -> node.absent() && node.gone())
              .map(SlurmNode::name)
              .collect(Collectors.toSet()));
    }
  }

  @Override
  public Answer queue() {
    try {
      return new Queue(jobs.queued());
    } catch (UnreadableAnswer e) {
      return new Unreadable(e.why());
    }
  }

  @Override
  public CommandResult drain(NodeName name, String reason) {
    if (!REASON.matcher(reason).matches()) {
      return new Refused("not a reason that Slurm keeps as it is: " + reason);
    }
    SlurmNode before;
    try {
      before = nodes.one(name);
    } catch (UnreadableAnswer e) {
      return new NotYet("not drained: " + e.why());
    }
    NodeState state = platform.state(before);
    if (state.heldFor(reason)) {
      return CommandResult.ACCEPTED;
    }
    if (state.service() != Service.IN_SERVICE) {
      return new Refused("it is " + before.state() + SlurmNodes.reason(before));
    }
    if (before.state().startsForJob()) {
      return new NotYet("Slurm starts it for a job, which a drain would end");
    }
    List<String> settings =
        List.of(
            "State=DRAIN",
            "Reason=" + reason,
            "Comment=" + Stamp.with(before, reason, clock.instant()));
    return nodes.update(name, after -> platform.state(after).heldFor(reason), settings);
  }

  @Override
  public boolean drainReplaces() {
    return platform == SlurmPlatform.PARALLEL_CLUSTER;
  }

  @Override
  public CommandResult resume(NodeName name, String reason) {
    SlurmNode before;
    try {
      before = nodes.one(name);
    } catch (UnreadableAnswer e) {
      return new NotYet("not resumed: " + e.why());
    }
    NodeState state = platform.state(before);
    if (state.service() == Service.IN_SERVICE) {
      return CommandResult.ACCEPTED;
    }
    if (!state.heldFor(reason)) {
      return new Refused("it is " + before.state() + SlurmNodes.reason(before));
    }
    if (before.state().rebooting()) {
      return new NotYet("its reboot has not ended");
    }
    if (platform.handsOff(before)) {
      return new NotYet("the platform is at work on it: " + before.reason());
    }
    List<String> settings = new ArrayList<>(List.of("State=" + verb(before.state())));
    if (Stamp.of(before.comment()).isPresent()) {
      settings.add("Comment=" + Stamp.without(before));
    }
    return nodes.update(name, SlurmScheduler::back, settings);
  }

  /**
   * undrain clears the drain alone, and the reason of a node that is powered down; DOWN, FAIL and a
   * reboot that was requested need resume.
   */
  private static String verb(SlurmState state) {
    boolean off = state.is("POWERED_DOWN") && !state.is("DOWN") && !state.is("FAIL");
    return (state.service() == Service.DRAINED || off) && !state.is("REBOOT_REQUESTED")
        ? "UNDRAIN"
        : "RESUME";
  }

  /**
   * A node without a machine that Slurm may start for a job is back. A maintenance reservation
   * belongs to others, and stays.
   */
  private static boolean back(SlurmNode node) {
    return node.state().service() == Service.IN_SERVICE
        || node.absent()
        || (node.reason().isEmpty() && node.state().is("MAINTENANCE"));
  }
}
