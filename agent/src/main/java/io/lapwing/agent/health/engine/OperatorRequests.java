package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.engine.RequestFiles.Request;
import io.lapwing.common.log.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Requests for a time, in the state directory. Read by one thread and taken by another, so that no
 * evaluation waits for a disk.
 */
public final class OperatorRequests {

  private static final Log LOG = Log.of(OperatorRequests.class);
  private static final String FOLDER = "operator";

  private final RequestFiles files;
  private final Queue<OperatorRequest> fetched = new ConcurrentLinkedQueue<>();
  private volatile Runnable onFetch = () -> {};

  public OperatorRequests(Path state) {
    this.files = new RequestFiles(state.resolve(FOLDER));
  }

  /** Leaves a request for the agent. */
  public PendingRequest ask(OperatorRequest request) throws IOException {
    return files.write(request.lines().toArray(String[]::new));
  }

  /** Whether a request waits for the agent; false if this user may not see that. */
  public boolean isWaiting() {
    return files.isWaiting();
  }

  /** Sets what runs after a request was fetched. */
  void onFetch(Runnable listener) {
    onFetch = listener;
  }

  /** Reads the new requests; waits for the disk. */
  void fetch() {
    List<OperatorRequest> fresh = read();
    if (!fresh.isEmpty()) {
      fetched.addAll(fresh);
      onFetch.run();
    }
  }

  /** Removes and returns the fetched requests; never waits. */
  List<OperatorRequest> take() {
    List<OperatorRequest> taken = new ArrayList<>();
    for (OperatorRequest one = fetched.poll(); one != null; one = fetched.poll()) {
      taken.add(one);
    }
    return taken;
  }

  /** Removes and returns the requests on disk. */
  public List<OperatorRequest> read() {
    List<OperatorRequest> requests = new ArrayList<>();
    for (Request file : files.read()) {
      OperatorRequest.of(file)
          .ifPresentOrElse(
              requests::add, () -> LOG.warn("a request is malformed", "file", file.file()));
    }
    return requests;
  }
}
