package io.lapwing.agent.events;

import io.lapwing.agent.events.Durability.NotDurable;
import io.lapwing.common.log.Log;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Whether the event log is on the disk, by its last write; changes are logged. */
final class DurabilityState {

  private static final Log LOG = Log.of(EventLog.class);
  private static final Durability DURABLE = new Durability.Durable();

  private final InstantSource clock;
  private volatile Durability current = DURABLE;

  DurabilityState(InstantSource clock) {
    this.clock = clock;
  }

  /** Never blocks. */
  Durability current() {
    return current;
  }

  /**
   * All events are on the disk.
   *
   * @param dropped since the start
   */
  void succeeded(long dropped) {
    if (current instanceof NotDurable before) {
      LOG.info("events are durable again", "since", before.since(), "dropped", dropped);
      current = DURABLE;
    }
  }

  /**
   * A write failed.
   *
   * @param path that was written, unless the error names another
   */
  void failed(IOException e, Path path) {
    if (e instanceof ClosedByInterruptException) {
      // The agent is stopping, and writes once more when this closes: no fault of the disk.
      return;
    }
    IoProblem problem = IoProblem.of(e, path);
    Instant since = current instanceof NotDurable before ? before.since() : clock.instant();
    NotDurable now = new NotDurable(problem.reason(), since, problem.path(), problem.why());
    if (!now.equals(current)) {
      String reason = now.reason().text();
      LOG.warn("events are not durable", "reason", reason, "path", now.path(), "why", now.why());
    }
    current = now;
  }

  /** The state to report while a write to this path has not returned for that long. */
  Durability hanging(Duration writing, Path path) {
    String why = "a write has not returned for " + writing.toSeconds() + " s";
    return new NotDurable(Durability.Reason.HANGS, clock.instant().minus(writing), path, why);
  }
}
