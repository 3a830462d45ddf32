package io.lapwing.drain.health;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Running;
import io.lapwing.drain.cluster.NodeName;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Has commands run beside the rounds, as {@link io.lapwing.drain.cluster.BackgroundRepairs} does:
 * that of a program that logs in to the node may take minutes.
 *
 * @param release its commands are used by several threads at once
 * @param threads one for each command that runs at the same time; rejects one for which none is
 *     free
 */
public record BackgroundRelease(GpuRelease release, Executor threads) implements GpuRelease {

  @Override
  public State state(NodeName node) {
    return release.state(node);
  }

  @Override
  public CommandResult release(NodeName node, Duration time) {
    return begin(() -> release.release(node, time));
  }

  @Override
  public CommandResult end(NodeName node) {
    return begin(() -> release.end(node));
  }

  private CommandResult begin(Supplier<CommandResult> command) {
    try {
      return new Running(CompletableFuture.supplyAsync(command, threads));
    } catch (RejectedExecutionException full) {
      return new NotYet("the commands for other nodes have not ended");
    }
  }
}
