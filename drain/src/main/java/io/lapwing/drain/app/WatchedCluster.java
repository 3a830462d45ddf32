package io.lapwing.drain.app;

import io.lapwing.common.log.Log;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.Scheduler;
import io.lapwing.drain.intake.NodeDirectory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A scheduler whose last answer other threads can read. */
final class WatchedCluster implements Scheduler {
  private static final Log LOG = Log.of(WatchedCluster.class);

  private final Scheduler scheduler;
  private final NodeDirectory directory;
  private volatile Optional<ClusterView> last = Optional.empty();
  private volatile String blind = "the scheduler has not been asked yet";

  /**
   * @param directory learns the names of the nodes
   */
  WatchedCluster(Scheduler scheduler, NodeDirectory directory) {
    this.scheduler = scheduler;
    this.directory = directory;
  }

  @Override
  public Seen view() {
    return noted(scheduler.view());
  }

  @Override
  public Seen latest() {
    return noted(scheduler.latest());
  }

  private Seen noted(Seen seen) {
    if (seen instanceof View view) {
      if (!blind.isEmpty()) {
        LOG.info("the scheduler answers", "nodes", view.cluster().nodes().size());
      }
      if (last.filter(before -> before.nodes() == view.cluster().nodes()).isEmpty()) {
        directory.update(view.cluster());
      }
      last = Optional.of(view.cluster());
      blind = "";
    } else {
      String why = ((CannotSee) seen).why();
      if (!why.equals(blind)) {
        LOG.error("the cluster cannot be seen; nothing is done", "reason", why);
      }
      blind = why;
    }
    return seen;
  }

  @Override
  public CommandResult drain(NodeName node, String reason) {
    return scheduler.drain(node, reason);
  }

  @Override
  public boolean drainReplaces() {
    return scheduler.drainReplaces();
  }

  @Override
  public CommandResult resume(NodeName node, String reason) {
    return scheduler.resume(node, reason);
  }

  @Override
  public CommandResult letGo(NodeName node, String reason) {
    return scheduler.letGo(node, reason);
  }

  @Override
  public List<Other> others(NodeName node) {
    return scheduler.others(node);
  }

  @Override
  public CommandResult evictOthers(NodeName node, Instant before) {
    return scheduler.evictOthers(node, before);
  }

  @Override
  public List<String> blockers(NodeName node) {
    return scheduler.blockers(node);
  }

  /** The last view; empty before the first. */
  Optional<ClusterView> last() {
    return last;
  }

  /** Why the cluster cannot be seen now; empty if it can. */
  String blind() {
    return blind;
  }

  /** The instance id of a node, as its scheduler knows it; empty if it does not. */
  String instanceId(NodeName node) {
    return last.flatMap(view -> view.node(node)).map(state -> state.instanceId()).orElse("");
  }
}
