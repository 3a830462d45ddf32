package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.engine.RequestFiles.Request;
import io.lapwing.common.log.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Requests to clear findings: a file of three lines (rule, subject, note). Read by one thread and
 * taken by another, so that no evaluation waits for a disk.
 */
public final class ClearRequests {

  private static final Log LOG = Log.of(ClearRequests.class);
  private static final String FOLDER = "clear";

  private final RequestFiles files;
  private final InstantSource clock;
  private volatile Runnable onFetch = () -> {};
  private final Queue<Event.OperatorCleared> fetched = new ConcurrentLinkedQueue<>();

  public ClearRequests(Path state, InstantSource clock) {
    this.files = new RequestFiles(state.resolve(FOLDER));
    this.clock = clock;
  }

  /** Requests that the agent clears findings; empty texts mean all. */
  public PendingRequest ask(String rule, String subject, String note) throws IOException {
    return files.write(rule, subject, note);
  }

  /** Sets what runs after a request was fetched. */
  void onFetch(Runnable listener) {
    onFetch = listener;
  }

  /** Reads the new requests; waits for the disk. */
  void fetch() {
    List<Event.OperatorCleared> fresh = read();
    if (!fresh.isEmpty()) {
      fetched.addAll(fresh);
      onFetch.run();
    }
  }

  /** Removes and returns the fetched requests; never waits. */
  List<Event.OperatorCleared> take() {
    List<Event.OperatorCleared> taken = new ArrayList<>();
    for (Event.OperatorCleared one = fetched.poll(); one != null; one = fetched.poll()) {
      taken.add(one);
    }
    return taken;
  }

  /** Removes and returns the requests on disk. */
  public List<Event.OperatorCleared> read() {
    List<Event.OperatorCleared> asked = new ArrayList<>();
    for (Request file : files.read()) {
      if (file.lines().size() >= 2) {
        asked.add(
            new Event.OperatorCleared(clock.instant(), file.line(0), file.line(1), file.line(2)));
      } else {
        LOG.warn("a request to clear is malformed", "file", file.file());
      }
    }
    return asked;
  }
}
