package io.lapwing.drain.cluster;

import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Running;
import io.lapwing.drain.health.Remedy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Repairs whose command may take minutes, such as a program that logs in to the node: it runs
 * beside the rounds. It begins at once or not at all, so that the checks before it are not
 * outdated.
 *
 * @param repairs used by several threads at once
 * @param threads one for each command that runs at the same time; rejects one for which none is
 *     free
 */
public record BackgroundRepairs(Repairs repairs, Executor threads) implements Repairs {

  @Override
  public CommandResult begin(Repair repair) {
    try {
      return new Running(CompletableFuture.supplyAsync(() -> repairs.begin(repair), threads));
    } catch (RejectedExecutionException full) {
      return new NotYet("the commands of other repairs have not ended");
    }
  }

  @Override
  public Progress progress(Remedy remedy, NodeState node, String reason) {
    return repairs.progress(remedy, node, reason);
  }
}
