package io.lapwing.drain.exec;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.exec.Outcome.NotStarted;
import io.lapwing.drain.remediation.SiteTest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * A program of the site that tries a repaired node, beside the rounds: once for each time for which
 * it is healthy, and one at a time for a node. Exit code 0: passed. 75, a signal, a timeout or a
 * program that cannot be run is no result, since the network may be at fault: it is run again, and
 * a person is called meanwhile. Any other: failed.
 */
public final class ExecSiteTest implements SiteTest {

  private static final Duration AGAIN = Duration.ofMinutes(5);
  private static final int KEPT = 1000;

  private final SiteProgram program;
  private final Executor threads;
  private final InstantSource clock;
  private final Map<String, Run> runs = new LinkedHashMap<>();

  /** A second test beside the first would disturb it, and fail a healthy node. */
  private final Set<NodeName> running = new HashSet<>();

  /**
   * @param threads one for each test that runs at the same time
   */
  public ExecSiteTest(SiteProgram program, Executor threads, InstantSource clock) {
    this.program = program;
    this.threads = threads;
    this.clock = clock;
  }

  /**
   * The last run for a repair.
   *
   * @param at when it began or ended
   */
  private record Run(Result result, Instant at) {

    boolean again(Instant now) {
      return result instanceof NotRun && !now.isBefore(at.plus(AGAIN));
    }
  }

  @Override
  public Result result(NodeName node, String attempt) {
    Instant now = clock.instant();
    synchronized (runs) {
      Run last = runs.get(attempt);
      if (last != null && !last.again(now)) {
        return last.result();
      }
      if (!running.add(node)) {
        return new Running();
      }
      keep(attempt, new Running());
    }
    try {
      threads.execute(() -> runOnce(node, attempt));
      return new Running();
    } catch (RuntimeException | Error noThread) {
      return ended(node, attempt, new NotRun("it could not be begun: " + noThread));
    }
  }

  private void runOnce(NodeName node, String attempt) {
    Result result;
    try {
      result = run(node, attempt);
    } catch (RuntimeException | Error failed) {
      result = new NotRun("it could not be run: " + failed);
    }
    Result unused = ended(node, attempt, result);
  }

  private Result ended(NodeName node, String attempt, Result result) {
    synchronized (runs) {
      running.remove(node);
      keep(attempt, result);
    }
    return result;
  }

  private void keep(String attempt, Result result) {
    synchronized (runs) {
      runs.put(attempt, new Run(result, clock.instant()));
      if (runs.size() > KEPT) {
        runs.remove(runs.keySet().iterator().next());
      }
    }
  }

  private Result run(NodeName node, String attempt) {
    Outcome outcome = program.run(Map.of("node", node.text(), "attempt", attempt));
    CommandResult result = program.result(outcome);
    if (result instanceof Refused refused) {
      return outcome instanceof NotStarted ? new NotRun(refused.why()) : new Failed(refused.why());
    }
    if (result instanceof Unclear unclear) {
      return new NotRun(unclear.why());
    }
    return PASSED;
  }
}
