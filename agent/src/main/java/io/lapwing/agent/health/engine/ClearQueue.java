package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Where what operators asked for lies until it is judged. The disk is asked by one thread, the desk
 * by another: whoever judges must not wait for a disk.
 */
public final class ClearQueue {

  private final ClearRequests requests;
  private volatile Runnable wake = () -> {};
  private final Queue<Event.OperatorCleared> asked = new ConcurrentLinkedQueue<>();

  public ClearQueue(ClearRequests requests) {
    this.requests = requests;
  }

  /** Who is to be told when something lies there. */
  public void wakes(Runnable judge) {
    wake = judge;
  }

  /** Fetches what was asked since the last time; waits for the disk. */
  public void fetch() {
    List<Event.OperatorCleared> fresh = requests.take();
    if (!fresh.isEmpty()) {
      asked.addAll(fresh);
      wake.run();
    }
  }

  /** What lies there; never waits. */
  public List<Event.OperatorCleared> take() {
    List<Event.OperatorCleared> taken = new ArrayList<>();
    for (Event.OperatorCleared one = asked.poll(); one != null; one = asked.poll()) {
      taken.add(one);
    }
    return taken;
  }
}
