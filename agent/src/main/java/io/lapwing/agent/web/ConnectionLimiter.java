package io.lapwing.agent.web;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/**
 * The connections there are. When they become too many, the one that has asked nothing for longest
 * goes: whoever opens hundreds and sends nothing, or a byte now and then, shuts out himself, and a
 * scraper that comes and asks is never kept waiting.
 */
final class ConnectionLimiter {
  private final int most;
  private final Map<EndPoint, Visitor> visitors = new ConcurrentHashMap<>();

  /**
   * @param most connections at a time
   */
  ConnectionLimiter(int most) {
    this.most = most;
  }

  /** A connection. */
  private static final class Visitor {
    private long since = System.nanoTime();
    private int asking;

    synchronized void asks() {
      asking++;
    }

    synchronized void isAnswered() {
      asking--;
      since = System.nanoTime();
    }

    synchronized boolean isAsking() {
      return asking > 0;
    }

    synchronized long since() {
      return since;
    }
  }

  void comes(EndPoint endPoint) {
    visitors.put(endPoint, new Visitor());
    if (visitors.size() > most) {
      visitors.entrySet().stream()
          .filter(visitor -> visitor.getKey() != endPoint)
          .min(
              Comparator.<Map.Entry<EndPoint, Visitor>, Boolean>comparing(
                      visitor -> visitor.getValue().isAsking())
                  .thenComparing(visitor -> visitor.getValue().since()))
          .ifPresent(longest -> send(longest.getKey()));
    }
  }

  private void send(EndPoint away) {
    visitors.remove(away);
    away.close();
  }

  void goes(EndPoint endPoint) {
    visitors.remove(endPoint);
  }

  /** Notes that a connection asks until the request is answered. */
  void asks(Request request) {
    Visitor visitor =
        visitors.get(outermost(request.getConnectionMetaData().getConnection().getEndPoint()));
    if (visitor != null) {
      visitor.asks();
      Request.addCompletionListener(request, failure -> visitor.isAnswered());
    }
  }

  /** TLS has an end point of its own inside of the connection's. */
  private static EndPoint outermost(EndPoint endPoint) {
    EndPoint outer = endPoint;
    while (outer instanceof EndPoint.Wrapper wrapper) {
      outer = wrapper.unwrap();
    }
    return outer;
  }
}
