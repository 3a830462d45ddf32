package io.lapwing.drain.app;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.Scheduler;

/** Of a controller without a scheduler: it sees nothing and does nothing. */
final class NoScheduler implements Scheduler {
  private static final String WHY = "no scheduler is configured: set --scheduler";

  @Override
  public Seen view() {
    return new CannotSee(WHY);
  }

  @Override
  public CommandResult drain(NodeName node, String reason) {
    return new CommandResult.Refused(WHY);
  }

  @Override
  public CommandResult resume(NodeName node, String reason) {
    return new CommandResult.Refused(WHY);
  }
}
