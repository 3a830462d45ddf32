package io.lapwing.drain.cluster;

import io.lapwing.drain.cluster.CommandResult.Running;
import io.lapwing.drain.health.Remedy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Repairs whose command may take minutes, such as a program that logs in to the node: it runs
 * beside the rounds.
 *
 * @param repairs used by several threads at once
 * @param threads one for each command that runs at the same time
 */
public record BackgroundRepairs(Repairs repairs, Executor threads) implements Repairs {

  @Override
  public CommandResult begin(Repair repair) {
    return new Running(CompletableFuture.supplyAsync(() -> repairs.begin(repair), threads));
  }

  @Override
  public Progress progress(Remedy remedy, NodeState node, String reason) {
    return repairs.progress(remedy, node, reason);
  }
}
