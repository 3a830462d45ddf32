package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Queues operators' requests to clear findings. One thread reads them from disk and another one
 * takes them, so that an evaluation never waits for a disk.
 */
public final class ClearQueue {

  private final ClearRequests requests;
  private volatile Runnable onFetch = () -> {};
  private final Queue<Event.OperatorCleared> fetched = new ConcurrentLinkedQueue<>();

  public ClearQueue(ClearRequests requests) {
    this.requests = requests;
  }

  /** Sets what runs after a request was fetched. */
  public void onFetch(Runnable listener) {
    onFetch = listener;
  }

  /** Reads the new requests; waits for the disk. */
  public void fetch() {
    List<Event.OperatorCleared> fresh = requests.take();
    if (!fresh.isEmpty()) {
      fetched.addAll(fresh);
      onFetch.run();
    }
  }

  /** Removes and returns the fetched requests; never waits. */
  public List<Event.OperatorCleared> take() {
    List<Event.OperatorCleared> taken = new ArrayList<>();
    for (Event.OperatorCleared one = fetched.poll(); one != null; one = fetched.poll()) {
      taken.add(one);
    }
    return taken;
  }
}
