package io.lapwing.drain.intake.agents;

import io.lapwing.common.text.TimeText;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.HealthReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Queries many agents at once, with one deadline for all of them: many hung agents delay a round no
 * more than one. Not thread-safe.
 */
public final class ParallelHealthReader implements HealthReader {

  /** Calls after which a node that was silent counts like any other: it may be gone. */
  private static final long FORGOTTEN = 1000;

  private final HealthReader one;
  private final ExecutorService threads;
  private final Duration deadline;

  /**
   * In which of the calls a node did not answer. There may be more of them than threads: they are
   * queried last, so that they do not delay others, and those that were not queried for longest
   * first.
   */
  private final Map<NodeName, Long> silent = new HashMap<>();

  private long calls;

  /**
   * @param one asks one agent, and ends when it is interrupted
   * @param threads as many are asked at a time
   * @param deadline for all that are asked by one call
   */
  public ParallelHealthReader(HealthReader one, ExecutorService threads, Duration deadline) {
    this.one = one;
    this.threads = threads;
    this.deadline = deadline;
  }

  @Override
  public Answer ask(NodeName node) {
    return one.ask(node);
  }

  @Override
  public Map<NodeName, Answer> askAll(List<NodeName> nodes) {
    calls++;
    silent.values().removeIf(call -> call < calls - FORGOTTEN);
    List<NodeName> order = new ArrayList<>(nodes);
    order.sort(Comparator.comparing(node -> silent.getOrDefault(node, 0L)));
    long start = System.nanoTime();
    Set<NodeName> begun = ConcurrentHashMap.newKeySet();
    List<Callable<Answer>> asked = new ArrayList<>();
    for (NodeName node : order) {
      asked.add(
          () -> {
            // What begins later has less than half of the time to answer in.
            if (System.nanoTime() - start < deadline.toNanos() / 2) {
              begun.add(node);
            }
            return one.ask(node);
          });
    }
    Map<NodeName, Answer> answers = new HashMap<>();
    try {
      List<Future<Answer>> all =
          threads.invokeAll(asked, deadline.toMillis(), TimeUnit.MILLISECONDS);
      for (int i = 0; i < all.size(); i++) {
        answers.put(order.get(i), answer(all.get(i), begun.contains(order.get(i))));
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
      order.forEach(node -> answers.put(node, new NotAsked("interrupted")));
    }
    answers.forEach(this::note);
    return answers;
  }

  private Answer answer(Future<Answer> done, boolean begun) throws InterruptedException {
    try {
      return done.get();
    } catch (CancellationException late) {
      return begun
          ? new Silent("no answer within " + TimeText.exact(deadline))
          : new NotAsked("too many others do not answer");
    } catch (ExecutionException bug) {
      return new Silent(String.valueOf(bug.getCause()));
    }
  }

  private void note(NodeName node, Answer answer) {
    if (answer instanceof Silent) {
      silent.put(node, calls);
    } else if (answer instanceof Answered) {
      silent.remove(node);
    }
  }
}
