package io.lapwing.common.web;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/**
 * Limits open connections by closing the one idle for longest: a client that opens hundreds cannot
 * block a scraper.
 */
final class ConnectionLimiter {
  private final int max;
  private final Map<EndPoint, ConnectionState> states = new ConcurrentHashMap<>();

  ConnectionLimiter(int max) {
    this.max = max;
  }

  /** The requests in flight of a connection, and when the last one completed. */
  private static final class ConnectionState {
    private long idleSince = System.nanoTime();
    private int inFlight;

    synchronized void requestStarted() {
      inFlight++;
    }

    synchronized void requestCompleted() {
      inFlight--;
      idleSince = System.nanoTime();
    }

    synchronized boolean isBusy() {
      return inFlight > 0;
    }

    synchronized long idleSince() {
      return idleSince;
    }
  }

  void opened(EndPoint endPoint) {
    states.put(endPoint, new ConnectionState());
    if (states.size() > max) {
      states.entrySet().stream()
          .filter(state -> state.getKey() != endPoint)
          .min(
              Comparator.<Map.Entry<EndPoint, ConnectionState>, Boolean>comparing(
                      state -> state.getValue().isBusy())
                  .thenComparing(state -> state.getValue().idleSince()))
          .ifPresent(longest -> evict(longest.getKey()));
    }
  }

  private void evict(EndPoint endPoint) {
    states.remove(endPoint);
    endPoint.close();
  }

  void closed(EndPoint endPoint) {
    states.remove(endPoint);
  }

  /** Marks the connection busy until the request completes. */
  void requestStarted(Request request) {
    ConnectionState state =
        states.get(outermost(request.getConnectionMetaData().getConnection().getEndPoint()));
    if (state != null) {
      state.requestStarted();
      Request.addCompletionListener(request, failure -> state.requestCompleted());
    }
  }

  /** TLS wraps the connection's end point in its own. */
  static EndPoint outermost(EndPoint endPoint) {
    EndPoint outer = endPoint;
    while (outer instanceof EndPoint.Wrapper wrapper) {
      outer = wrapper.unwrap();
    }
    return outer;
  }
}
