package io.lapwing.agent.web;

import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Accepts connections and tells the crowd of each that comes and goes. */
final class LimitedConnector extends ServerConnector {
  private final ConnectionLimiter crowd;

  LimitedConnector(Server server, ConnectionLimiter crowd, ConnectionFactory... protocols) {
    // No acceptor thread: the selector accepts as well, which saves a thread per address.
    super(server, 0, 1, protocols);
    this.crowd = crowd;
  }

  @Override
  protected void onEndPointOpened(EndPoint endPoint) {
    super.onEndPointOpened(endPoint);
    crowd.comes(endPoint);
  }

  @Override
  protected void onEndPointClosed(EndPoint endPoint) {
    crowd.goes(endPoint);
    super.onEndPointClosed(endPoint);
  }
}
