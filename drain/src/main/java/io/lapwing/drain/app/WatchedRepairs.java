package io.lapwing.drain.app;

import io.lapwing.common.log.Log;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Running;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Verb;

/** Repairs that are counted and logged. */
record WatchedRepairs(Repairs repairs, DrainMetrics metrics) implements Repairs {
  private static final Log LOG = Log.of(WatchedRepairs.class);

  @Override
  public Progress progress(Remedy remedy, NodeState node, String reason) {
    return repairs.progress(remedy, node, reason);
  }

  @Override
  public CommandResult begin(Repair repair) {
    CommandResult result = repairs.begin(repair);
    if (result instanceof Running running) {
      return new Running(running.end().thenApply(end -> noted(repair, end)));
    }
    return noted(repair, result);
  }

  private CommandResult noted(Repair repair, CommandResult result) {
    NodeState node = repair.node();
    String verb = Verb.of(repair.remedy()).word();
    if (result instanceof Refused refused) {
      metrics.repair(verb, "refused");
      LOG.warn("repair refused", "node", node.name(), "verb", verb, "reason", refused.why());
    } else if (result instanceof Unclear unclear) {
      metrics.repair(verb, "unclear");
      LOG.warn("repair unclear", "node", node.name(), "verb", verb, "reason", unclear.why());
    } else if (result instanceof NotPossible not) {
      metrics.repair(verb, "not_possible");
      LOG.warn("repair not possible", "node", node.name(), "verb", verb, "reason", not.why());
    } else if (result instanceof NotYet later) {
      metrics.repair(verb, "not_yet");
      LOG.info("repair not yet", "node", node.name(), "verb", verb, "reason", later.why());
    } else {
      metrics.repair(verb, "begun");
    }
    return result;
  }
}
