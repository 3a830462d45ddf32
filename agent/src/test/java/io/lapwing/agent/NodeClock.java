package io.lapwing.agent;

import io.lapwing.agent.sources.PollClock;
import io.lapwing.simulator.SimulatedNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/** The time of a simulated node, which may run faster than the real one. */
final class NodeClock implements PollClock {

  /** Who waits looks so often, since the pace may change meanwhile. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private final InstantSource clock;
  private final Instant start;

  NodeClock(SimulatedNode node) {
    this.clock = node.clock();
    this.start = clock.instant();
  }

  @Override
  public Instant instant() {
    return clock.instant();
  }

  @Override
  public long nanoTime() {
    return Duration.between(start, clock.instant()).toNanos();
  }

  @Override
  public void park(Object who, long nanos) {
    LockSupport.parkNanos(who, Math.min(nanos, LOOK.toNanos()));
  }
}
