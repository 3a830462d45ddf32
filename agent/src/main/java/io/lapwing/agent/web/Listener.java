package io.lapwing.agent.web;

import io.lapwing.agent.config.ListenAddress;
import io.lapwing.agent.web.WebServer.ListenException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A bound listen address, with the actual port for port 0. */
record Listener(ServerConnector connector, String scheme, String host, InetSocketAddress address) {
  /** Above the common scrape interval of a minute, so that scrapers reuse their connection. */
  private static final int KEEP_ALIVE_MILLIS = 75_000;

  /** How long idle connections stay open while the server stops. */
  private static final int SHUTDOWN_IDLE_MILLIS = 50;

  /** Binds the address. Requests are served once the server starts. */
  static Listener open(
      ListenAddress address,
      Server server,
      ConnectionLimiter connections,
      Optional<WebSecurity> security)
      throws ListenException {
    ServerConnector connector = new LimitedConnector(server, connections, Protocols.of(security));
    connector.setHost(address.host().isEmpty() ? null : address.host());
    connector.setPort(address.port());
    connector.setIdleTimeout(KEEP_ALIVE_MILLIS);
    connector.setShutdownIdleTimeout(SHUTDOWN_IDLE_MILLIS);
    InetSocketAddress bound = bind(connector, address);
    server.addConnector(connector);
    String scheme = security.filter(WebSecurity::encrypted).isPresent() ? "https" : "http";
    return new Listener(connector, scheme, address.host(), bound);
  }

  /** A URL that works on this node. */
  String url() {
    String reachable = host.isEmpty() ? "localhost" : host;
    return scheme + "://" + new ListenAddress(reachable, address.getPort());
  }

  private static InetSocketAddress bind(ServerConnector connector, ListenAddress address)
      throws ListenException {
    try {
      connector.open();
      ServerSocketChannel channel = (ServerSocketChannel) connector.getTransport();
      return (InetSocketAddress) channel.getLocalAddress();
    } catch (IOException | RuntimeException e) {
      connector.close();
      throw new ListenException(address, e);
    }
  }

  void close() {
    connector.close();
  }

  /** Runs a task as a request would: after the selector's next pass, on a free worker. */
  void inTurn(Runnable task) {
    connector
        .getSelectorManager()
        .getBeans(ManagedSelector.class)
        .forEach(selector -> selector.submit(ready -> connector.getExecutor().execute(task)));
  }

  /** Reports opened and closed connections to the limiter. */
  private static final class LimitedConnector extends ServerConnector {
    private final ConnectionLimiter connections;

    LimitedConnector(Server server, ConnectionLimiter connections, ConnectionFactory... protocols) {
      // No acceptor thread: the selector accepts, which saves a thread per address.
      super(server, 0, 1, protocols);
      this.connections = connections;
    }

    @Override
    protected void onEndPointOpened(EndPoint endPoint) {
      super.onEndPointOpened(endPoint);
      connections.opened(endPoint);
    }

    @Override
    protected void onEndPointClosed(EndPoint endPoint) {
      connections.closed(endPoint);
      super.onEndPointClosed(endPoint);
    }
  }
}
