package io.lapwing.common.web;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/**
 * Limits open connections by closing one that is idle, of the host that has the most of them: a
 * client that opens hundreds cannot block a scraper.
 */
final class ConnectionLimiter {
  /** Hosts with so many or fewer are alike: a scraper, or two behind one address, have them. */
  private static final long FEW = 4;

  private final int max;
  private final Map<EndPoint, ConnectionState> states = new ConcurrentHashMap<>();

  ConnectionLimiter(int max) {
    this.max = max;
  }

  /** The requests in flight of a connection, and when the last one completed. */
  private static final class ConnectionState {
    private final RemoteHost host;
    private long idleSince = System.nanoTime();
    private int inFlight;

    ConnectionState(RemoteHost host) {
      this.host = host;
    }

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
    states.put(endPoint, new ConnectionState(RemoteHost.of(endPoint.getRemoteSocketAddress())));
    if (states.size() > max) {
      Map<RemoteHost, Long> ofHost =
          states.values().stream()
              .collect(Collectors.groupingBy(state -> state.host, Collectors.counting()));
      states.entrySet().stream()
          .filter(state -> state.getKey() != endPoint)
          .map(state -> Candidate.of(state, ofHost))
          .min(
              Comparator.comparing(Candidate::busy)
                  .thenComparing(Candidate::ofHost, Comparator.reverseOrder())
                  .thenComparing(Candidate::idleSince))
          .ifPresent(one -> evict(one.endPoint()));
    }
  }

  /** A connection as it was at one time: comparing needs constant values. */
  private record Candidate(EndPoint endPoint, boolean busy, long ofHost, long idleSince) {

    static Candidate of(
        Map.Entry<EndPoint, ConnectionState> connection, Map<RemoteHost, Long> ofHost) {
      ConnectionState state = connection.getValue();
      return new Candidate(
          connection.getKey(),
          state.isBusy(),
          Math.max(FEW, ofHost.getOrDefault(state.host, 0L)),
          state.idleSince());
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
